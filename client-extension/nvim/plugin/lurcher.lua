-- The commands; everything else is loaded when one of them is used.
if vim.g.loaded_lurcher then
  return
end
vim.g.loaded_lurcher = true

local function command(name, description, act)
  vim.api.nvim_create_user_command(name, act, { nargs = '*', desc = description })
end

command('Lurcher', 'Search the workspace', function(given)
  require('lurcher.picker').open(given.args)
end)

command('LurcherQuickfix', 'Search the workspace, into the quickfix list', function(given)
  local lurcher = require('lurcher')
  lurcher.search(given.args, { sync = true }, function(answer, is_final)
    if not is_final then
      return
    end
    lurcher.to_quickfix(given.args, answer)
    if #answer.chunks == 0 then
      vim.notify('Lurcher: ' .. lurcher.emptiness(answer))
    else
      vim.cmd.copen()
    end
  end)
end)

command('LurcherCallers', 'Who calls the function under the cursor?', function(given)
  local name = given.args ~= '' and given.args or vim.fn.expand('<cword>')
  require('lurcher.picker').open('who calls ' .. name)
end)
