// `npm start`: completes the setup, then starts the application on Node 24.
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
  // Without these flags Node grows to 600 MB while it reads a large feed, most of it garbage that was not yet collected.
  const flags = JSON.parse(await readFile(join(projectFolder, 'tools/node-flags.json'), 'utf8'))
  const main = join(projectFolder, 'src/server/main.ts')
  const child = spawn(node, [...flags, main, ...process.argv.slice(2)], {
    // In a process group of its own: Ctrl-C reaches only this process, which passes it on exactly once, although npm
    // and the shell pass it on, too. When this process is killed the channel closes, which the application notices.
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
    // Ended by the signal that was passed on before the application could handle it.
    child.on('exit', (code, signal) => resolve(code ?? (isAskedToStop && signal ? 0 : 1)))
  })
  clearInterval(watch)
}

/** npm passes signals on. When npm itself is killed, its process has disappeared. */
function watchNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined
  const npm = process.ppid
  return setInterval(() => process.ppid !== npm && stop('SIGTERM'), 200)
}
