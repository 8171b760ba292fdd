-- Types into a buffer, looks for it, and writes what came back to $LURCHER_SEEN; the configuration is that of the page.
local PATIENCE_MS = 120000
local FRESH_MS = 100 -- Within this time of a keystroke its text is to be found …
local TRIES = 20 -- … but a machine that is busy with other tests may take a little longer.

local function leave(seen)
  local file = assert(io.open(vim.env.LURCHER_SEEN, 'w'))
  file:write(vim.json.encode(seen))
  file:close()
  vim.cmd.qall({ bang = true })
end

local function ask(client, method, params)
  local answer, problem = client:request_sync(method, params, PATIENCE_MS, 0)
  assert(answer, problem)
  assert(not answer.err, vim.inspect(answer.err))
  return answer.result
end

local function drive()
  local client
  assert(vim.wait(PATIENCE_MS, function()
    client = vim.lsp.get_clients({ name = 'lurcher', bufnr = 0 })[1]
    return client ~= nil and client.initialized
  end))
  local status
  assert(vim.wait(PATIENCE_MS, function()
    status = ask(client, 'workspace/chunkSearch/status', vim.NIL)
    return status.state == 'ready'
  end, FRESH_MS))

  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', '', 'def okapi_crossing():', '    return "📦 not saved"' })
  local typed
  for _ = 1, TRIES do
    vim.wait(FRESH_MS)
    typed = ask(client, 'workspace/chunkSearch', { query = 'okapi crossing', maxResults = 3 })
    if #typed.chunks > 0 then
      break
    end
  end

  vim.cmd('Lurcher which parcels are heavy')
  assert(vim.wait(PATIENCE_MS, function()
    return #vim.fn.getqflist() > 0
  end))
  local list = vim.tbl_map(function(item)
    return { path = vim.api.nvim_buf_get_name(item.bufnr), line = item.lnum, text = item.text }
  end, vim.fn.getqflist())
  return {
    root = client.root_dir,
    encoding = client.offset_encoding,
    typed = typed,
    list = list,
    title = vim.fn.getqflist({ title = true }).title,
    messages = vim.trim(vim.fn.execute('messages')),
  }
end

local worked, seen = pcall(drive)
leave(worked and seen or { problem = seen })
