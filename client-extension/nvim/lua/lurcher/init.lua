--- Lurcher in Neovim: starts the server, searches, and shows what it finds in a picker of its own.
local M = {}

--- What can be set; `server` is the section of settings that the server is given.
M.options = {
  cmd = { 'lurcher', 'serve' },
  root_markers = { '.git' },
  results = 30,
  server = {},
}

--- Who waits for parts of an answer, by the token that they come with.
local growing = {}
local searches = 0

local function on_progress(problem, params, context)
  local grow = params and growing[params.token]
  if grow then
    return grow(params.value)
  end
  return vim.lsp.handlers['$/progress'](problem, params, context)
end

--- Define the server and the commands. Call it once, from init.lua.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  vim.lsp.config('lurcher', {
    cmd = M.options.cmd,
    root_markers = M.options.root_markers,
    settings = { lurcher = M.options.server },
    -- Neovim tells of edits after 150 ms; a search can see them sooner.
    flags = { debounce_text_changes = 20 },
    handlers = { ['$/progress'] = on_progress },
  })
  vim.lsp.enable('lurcher')
end

--- The client that runs, or nil.
function M.client()
  return vim.lsp.get_clients({ name = 'lurcher' })[1]
end

--- Ask for chunks. `done` is called with the answer, and with each part of it while it grows (`is_final` is false then).
--- Answers a function that cancels the search.
function M.search(query, params, done)
  local client = M.client()
  if not client then
    vim.notify('Lurcher is not running: open a file of a project first, or see :checkhealth lurcher', vim.log.levels.WARN)
    return function() end
  end
  searches = searches + 1
  local token = 'lurcher-search-' .. searches
  growing[token] = function(answer)
    done(answer, false)
  end
  local usual = { query = query, maxResults = M.options.results, partialResultToken = token }
  local all = vim.tbl_extend('force', usual, params or {})
  local sent, id = client:request('workspace/chunkSearch', all, function(problem, answer)
    growing[token] = nil
    if problem and problem.code ~= vim.lsp.protocol.ErrorCodes.RequestCancelled and problem.code ~= -32800 then
      vim.notify('Lurcher: ' .. problem.message, vim.log.levels.ERROR)
    elseif answer then
      done(answer, true)
    end
  end)
  return function()
    growing[token] = nil
    if sent then
      client:cancel_request(id)
    end
  end
end

--- Put an answer into the quickfix list.
function M.to_quickfix(query, answer)
  local items = {}
  for _, chunk in ipairs(answer.chunks) do
    table.insert(items, {
      filename = vim.uri_to_fname(chunk.uri),
      lnum = chunk.range.start.line + 1,
      end_lnum = chunk.range['end'].line + 1,
      text = M.telling_line(chunk),
    })
  end
  vim.fn.setqflist({}, ' ', { title = 'Lurcher: ' .. query, items = items })
end

--- The first line of a chunk that says something.
function M.telling_line(chunk)
  for line in vim.gsplit(chunk.rawText, '\n', { plain = true }) do
    if line:find('%a%a') then
      return vim.trim(line)
    end
  end
  return ''
end

--- Why there is nothing, in words.
function M.emptiness(answer)
  local words = {
    noMatch = 'nothing matches; say it in other words',
    belowSpread = 'nothing here seems to answer this; say it in other words',
    notIndexedYet = 'not indexed yet; ask again in a moment',
    noFiles = 'there are no files to search',
    everythingExcluded = 'everything is filtered out',
    noUses = 'no uses of this name',
    strategiesFailed = 'every way of searching failed; see the log of the server',
  }
  return words[answer.empty] or 'nothing found'
end

return M
