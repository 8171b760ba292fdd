-- Uses the plugin as a person would and writes what it saw to $LURCHER_SEEN.
local PATIENCE_MS = 120000

local function waited(what, condition)
  assert(vim.wait(PATIENCE_MS, condition, 50), what .. ' does not come')
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

local function drive()
  local lurcher = require('lurcher')
  local seen = { commands = vim.tbl_keys(vim.api.nvim_get_commands({})) }
  waited('the server', function()
    return lurcher.client() ~= nil and lurcher.client().initialized
  end)
  waited('the index', function()
    local answer = lurcher.client():request_sync('workspace/chunkSearch/status', vim.NIL, PATIENCE_MS, 0)
    return answer and answer.result.state == 'ready'
  end)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', '', 'def okapi_crossing():', '    return "not saved"' })
  local typed_in = vim.api.nvim_get_current_buf()

  local picker = require('lurcher.picker').open('okapi crossing')
  waited('a result', function()
    return #picker.state.chunks > 0
  end)
  seen.list, seen.preview = lines(picker.list), lines(picker.preview)
  picker.choose()
  seen.same_buffer = vim.api.nvim_get_current_buf() == typed_in
  seen.line = vim.api.nvim_get_current_line()

  local nothing = require('lurcher.picker').open('zzzyyyxxxwww')
  waited('the empty answer', function()
    return #lines(nothing.list)[1] > 0
  end)
  seen.nothing = lines(nothing.list)[1]
  nothing.close()
  seen.windows = #vim.api.nvim_list_wins()

  vim.cmd('LurcherQuickfix which parcels are heavy')
  waited('the quickfix list', function()
    return #vim.fn.getqflist() > 0
  end)
  seen.quickfix = vim.fn.getqflist({ title = true }).title
  seen.messages = vim.trim(vim.fn.execute('messages'))
  vim.cmd('checkhealth lurcher')
  seen.health = table.concat(lines(0), '\n')
  return seen
end

local worked, seen = pcall(drive)
local file = assert(io.open(vim.env.LURCHER_SEEN, 'w'))
file:write(vim.json.encode(worked and seen or { problem = seen }))
file:close()
vim.cmd.qall({ bang = true })
