--- `:checkhealth lurcher`
local lurcher = require('lurcher')
local M = {}

function M.check()
  local health = vim.health
  health.start('lurcher')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim is new enough')
  else
    health.error('Neovim 0.11 or newer is needed')
  end
  local program = lurcher.options.cmd[1]
  if vim.fn.executable(program) == 1 then
    local said = vim.system({ program, '--version' }, { text = true }):wait(10000)
    if said.code == 0 then
      health.ok(vim.trim(said.stdout) .. ' at ' .. vim.fn.exepath(program))
    else
      health.error(program .. ' --version failed: ' .. vim.trim(said.stderr or ''))
    end
  else
    health.error('the program ' .. program .. ' is not found', {
      'install Lurcher with pip, or give its whole path: setup({ cmd = { "/path/to/lurcher", "serve" } })',
    })
  end
  local client = lurcher.client()
  if not client then
    health.warn('the server is not running', { 'open a file of a project: it starts with the first one' })
    return
  end
  local answer = client:request_sync('workspace/chunkSearch/status', vim.NIL, 5000, 0)
  if answer and answer.result then
    health.info(answer.result.message)
    for _, alert in ipairs(answer.result.alerts) do
      health.warn(alert)
    end
  else
    health.error('the server does not answer')
  end
end

return M
