// `node tools/run.mjs [--web] tools/x.ts ...`: runs a TypeScript program of the project on Node 24, whatever Node is on
// the PATH. With --web it builds the web pages first.
import { buildWeb, prepare, projectFolder, runCommand } from './setup.mjs'
import { runProgram } from './run-program.mjs'

await runCommand(async () => {
  const node = await prepare()
  const [first, ...rest] = process.argv.slice(2)
  const needsWeb = first === '--web'
  if (needsWeb) await buildWeb(node)
  const { code } = await runProgram(node, needsWeb ? rest : [first, ...rest], { cwd: projectFolder })
  process.exitCode = code
})
