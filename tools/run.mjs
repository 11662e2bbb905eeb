// `node tools/run.mjs tools/x.ts ...`: runs one of our TypeScript programs on Node 24, whatever Node is on the PATH.
import { prepare, projectFolder, runCommand } from './setup.mjs'
import { runProgram } from './run-program.mjs'

await runCommand(async () => {
  const node = await prepare()
  const { code } = await runProgram(node, process.argv.slice(2), { cwd: projectFolder })
  process.exitCode = code
})
