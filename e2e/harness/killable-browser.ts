import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { FLAGS, pathOfBrowser } from './browser.ts'

export type KillableBrowser = {
  context: BrowserContext
  /** Ends it at once, like a crash or an empty battery: nothing is written anymore. */
  kill: () => Promise<void>
}

const PATIENCE_MS = 15_000

/** A browser of its own on a folder with its data, which the next one continues with. */
export async function startKillableBrowser(folder: string): Promise<KillableBrowser> {
  const portFile = join(folder, 'DevToolsActivePort')
  await rm(portFile, { force: true })
  const started = spawn(
    pathOfBrowser(),
    [...FLAGS, '--remote-debugging-port=0', `--user-data-dir=${folder}`, '--lang=en-US', 'about:blank'],
    { stdio: 'ignore', detached: true },
  )
  const port = await readPort(portFile)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The browser has no profile.')
  context.setDefaultTimeout(PATIENCE_MS)
  return { context, kill: () => killGroup(started) }
}

async function readPort(file: string): Promise<string> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const text = await readFile(file, 'utf8').catch(() => '')
    const [port = ''] = text.split('\n')
    if (port !== '') return port
    if (Date.now() > until) throw new Error('The browser did not start.')
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** With its helper processes, which would write on. */
async function killGroup(started: ChildProcess): Promise<void> {
  const ended = new Promise((done) => started.once('exit', done))
  if (started.pid !== undefined) process.kill(-started.pid, 'SIGKILL')
  await ended
}
