// Runs on Node 20 or later, before anything is installed: plain JavaScript, no dependencies.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const running = new Set()
for (const signal of SIGNALS) {
  process.on(signal, () => {
    // The callers of these programs see them end, and stop in order.
    for (const child of running) child.kill(signal)
    interrupted = signal
  })
}
let interrupted = null

/** The signal that asked this process to stop, or null. */
export function wasInterrupted() {
  return interrupted
}

/**
 * Runs a program to its end. With `isQuiet` its output is collected and returned instead of shown.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, isQuiet?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runProgram(command, args, { cwd, env = {}, isQuiet = false }) {
  const child = spawn(command, args, {
    cwd,
    // Tools that cache their compiled code would write it to the system's temporary folder.
    env: { ...process.env, NODE_COMPILE_CACHE: join(cwd, 'node_modules', '.cache', 'node'), ...env },
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command.endsWith('.cmd'),
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`
      resolve(127)
    })
    child.on('close', (status) => resolve(status ?? 1))
  })
  running.delete(child)
  return { code, output }
}
