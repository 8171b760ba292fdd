--- A picker without any plugin: a line to type in, a list, and the place itself beside it.
local lurcher = require('lurcher')
local M = {}

--- Milliseconds without a key before a search.
local PAUSE = 120

local function label(chunk)
  local symbol = chunk.symbol ~= vim.NIL and chunk.symbol or nil
  local name = symbol and ((symbol.container ~= '' and symbol.container .. '.' or '') .. symbol.name) or ''
  local path = vim.fn.fnamemodify(vim.uri_to_fname(chunk.uri), ':.')
  return string.format('%s:%d  %s', path, chunk.range.start.line + 1, name)
end

local function window(buffer, enter, config)
  config = vim.tbl_extend('force', { relative = 'editor', style = 'minimal', border = 'rounded' }, config)
  local opened = vim.api.nvim_open_win(buffer, enter, config)
  vim.wo[opened].winhighlight = 'NormalFloat:Normal'
  return opened
end

local function scratch()
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  return buffer
end

--- Open the picker; `query` is typed already.
function M.open(query)
  local width = math.max(40, math.floor(vim.o.columns * 0.9))
  local height = math.max(8, math.floor(vim.o.lines * 0.7))
  local left, row = math.floor((vim.o.columns - width) / 2), 1
  local half = math.floor(width / 2) - 2
  local prompt, list, preview = scratch(), scratch(), scratch()
  local windows = {
    list = window(list, false, { row = row + 3, col = left, width = half, height = height - 3, title = ' Results ' }),
    preview = window(preview, false, { row = row + 3, col = left + half + 2, width = half, height = height - 3 }),
  }
  windows.prompt = window(prompt, true, { row = row, col = left, width = width - 2, height = 1, title = ' Lurcher ' })
  vim.wo[windows.list].cursorline = true

  local state = { chunks = {}, place = 1, cancel = function() end, timer = assert(vim.uv.new_timer()), query = '' }

  local function show_preview()
    local chunk = state.chunks[state.place]
    if not (chunk and vim.api.nvim_win_is_valid(windows.preview)) then
      return
    end
    vim.api.nvim_buf_set_lines(preview, 0, -1, false, vim.split(chunk.rawText, '\n', { plain = true }))
    local kind = vim.filetype.match({ filename = vim.uri_to_fname(chunk.uri) })
    vim.treesitter.stop(preview)
    vim.bo[preview].syntax = kind or ''
    vim.api.nvim_win_set_config(windows.preview, { title = ' ' .. table.concat(chunk.reasons, ', '):sub(1, half - 4) .. ' ' })
    vim.api.nvim_win_set_cursor(windows.list, { state.place, 0 })
  end

  --- Whoever has moved to a result stays there while the answer grows.
  local function place_in(chunks)
    local current = state.chunks[state.place]
    for place, chunk in ipairs(state.has_moved and current and chunks or {}) do
      if chunk.id == current.id then
        return place
      end
    end
    return 1
  end

  local function show(answer, is_final)
    if not vim.api.nvim_buf_is_valid(list) or (#answer.chunks == 0 and not is_final) then
      return
    end
    state.chunks, state.place = answer.chunks, place_in(answer.chunks)
    local lines = vim.tbl_map(label, answer.chunks)
    if #lines == 0 then
      lines = { lurcher.emptiness(answer) }
      vim.api.nvim_buf_set_lines(preview, 0, -1, false, answer.alerts)
    end
    vim.api.nvim_buf_set_lines(list, 0, -1, false, lines)
    show_preview()
  end

  local function search()
    if state.timer:is_closing() then
      return
    end
    state.cancel()
    state.has_moved = false
    state.query = vim.trim(vim.api.nvim_buf_get_lines(prompt, 0, 1, false)[1] or '')
    if state.query ~= '' then
      state.cancel = lurcher.search(state.query, {}, show)
    end
  end

  local function close()
    if not state.timer:is_closing() then
      state.timer:close()
    end
    state.cancel()
    vim.cmd.stopinsert()
    for _, each in pairs(windows) do
      if vim.api.nvim_win_is_valid(each) then
        vim.api.nvim_win_close(each, true)
      end
    end
  end

  local function move(step)
    if #state.chunks > 0 then
      state.has_moved = true
      state.place = (state.place - 1 + step) % #state.chunks + 1
      show_preview()
    end
  end

  local function choose(split)
    local chunk = state.chunks[state.place]
    close()
    if chunk then
      if split then
        vim.cmd(split)
      end
      -- Not `:edit`, which refuses to leave, or to show again, what is not saved.
      local buffer = vim.uri_to_bufnr(chunk.uri)
      vim.bo[buffer].buflisted = true
      vim.api.nvim_win_set_buf(0, buffer)
      vim.api.nvim_win_set_cursor(0, { chunk.range.start.line + 1, 0 })
      vim.cmd('normal! zz')
    end
  end

  local function key(lhs, act)
    vim.keymap.set({ 'i', 'n' }, lhs, act, { buffer = prompt, nowait = true })
  end
  for _, down in ipairs({ '<Down>', '<C-n>', '<C-j>' }) do
    key(down, function() move(1) end)
  end
  for _, up in ipairs({ '<Up>', '<C-p>', '<C-k>' }) do
    key(up, function() move(-1) end)
  end
  key('<CR>', function() choose() end)
  key('<C-v>', function() choose('vsplit') end)
  key('<C-x>', function() choose('split') end)
  key('<Esc>', close)
  key('<C-c>', close)
  key('<C-q>', function()
    local chunks = state.chunks
    close()
    lurcher.to_quickfix(state.query, { chunks = chunks })
    vim.cmd.copen()
  end)
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged' }, {
    buffer = prompt,
    callback = function()
      if not state.timer:is_closing() then
        state.timer:start(PAUSE, 0, vim.schedule_wrap(search))
      end
    end,
  })
  vim.api.nvim_create_autocmd('WinLeave', { buffer = prompt, once = true, callback = vim.schedule_wrap(close) })

  vim.api.nvim_buf_set_lines(prompt, 0, -1, false, { query or '' })
  vim.cmd('startinsert!')
  if query and query ~= '' then
    search()
  end
  return { state = state, choose = choose, close = close, move = move, list = list, preview = preview }
end

return M
