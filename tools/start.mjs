// `npm start`: sets up what is missing, then hands over to the application on Node 24.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildWeb, prepare, projectFolder, runCommand } from './setup.mjs'
import { wasInterrupted } from './run-program.mjs'

await runCommand(async () => {
  const node = await prepare()
  await buildWeb(node)
  if (wasInterrupted() === null) await runApplication(node)
})

async function runApplication(node) {
  // Left to itself Node takes 600 MB while a large feed is read, most of it garbage that nobody was in need to clear away.
  const flags = JSON.parse(await readFile(join(projectFolder, 'tools/node-flags.json'), 'utf8'))
  const main = join(projectFolder, 'src/server/main.ts')
  const child = spawn(node, [...flags, main, ...process.argv.slice(2)], {
    // A group of its own: the terminal's Ctrl-C comes here alone and is passed on exactly once, though npm and
    // the shell pass it on, too. The channel closes when this process is killed, so the application can notice.
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  let isAskedToStop = false
  const stop = (signal) => {
    if (!isAskedToStop) child.kill(signal)
    isAskedToStop = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  const watch = watchNpm(stop)
  process.exitCode = await new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`The application could not be started: ${error.message}`)
      resolve(1)
    })
    // Killed by the signal we passed on: it came before the application could listen for it.
    child.on('exit', (code, signal) => resolve(code ?? (isAskedToStop && signal ? 0 : 1)))
  })
  clearInterval(watch)
}

/** npm passes signals on, but a killed npm cannot: we notice that it is gone. */
function watchNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined
  const npm = process.ppid
  return setInterval(() => process.ppid !== npm && stop('SIGTERM'), 200)
}
