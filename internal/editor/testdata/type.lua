-- Opens two files, removes a piece of one without saving it, and waits until a rule has
-- reported something in the other; takes the edit back and waits until that is gone.
-- The job comes in the environment and the answer goes to a file, both as JSON.
local job = vim.json.decode(os.getenv("FENCELINT_JOB"))
local answer = { took = {} }

local function run()
  local config = {
    name = "fencelint",
    cmd = job.command,
    root_dir = job.dir,
    init_options = { diagnosticsDelay = job.delay },
    flags = { debounce_text_changes = 0 },
  }
  vim.o.hidden = true
  local client
  local function open(path)
    vim.cmd("edit " .. vim.fn.fnameescape(path))
    vim.bo.filetype = "go"
    client = client or (vim.lsp.start or vim.lsp.start_client)(config)
    vim.lsp.buf_attach_client(0, client)
    return vim.api.nvim_get_current_buf()
  end
  local shown, edited = open(job.shown), open(job.edited)

  local function found()
    return vim.tbl_filter(function(d) return d.source == job.rule end, vim.diagnostic.get(shown))
  end
  local function await(n)
    local begin = vim.loop.hrtime()
    if not vim.wait(job.patience, function() return #found() == n end, 2) then
      error("no " .. n .. " findings: " .. vim.inspect(vim.diagnostic.get()))
    end
    table.insert(answer.took, math.floor((vim.loop.hrtime() - begin) / 1e6))
  end
  local function remove()
    for i, text in ipairs(vim.api.nvim_buf_get_lines(edited, 0, -1, true)) do
      local from, to = text:find(job.piece, 1, true)
      if from then
        vim.api.nvim_buf_set_text(edited, i - 1, from - 1, i - 1, to, { "" })
        return
      end
    end
    error("the buffer does not hold " .. job.piece)
  end

  for _ = 1, job.rounds do
    remove()
    await(1)
    answer.message = found()[1].message
    answer.line = vim.api.nvim_buf_get_lines(shown, found()[1].lnum, found()[1].lnum + 1, true)[1]
    vim.cmd("silent undo")
    await(0)
  end
  remove()
  await(1)
  answer.modified = vim.bo[edited].modified
end

local ok, err = pcall(run)
if not ok then
  answer.error = tostring(err)
end
local out = io.open(job.answer, "w")
out:write(vim.json.encode(answer))
out:close()
vim.cmd("qall!")
