import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { isDemoWanted, loadDemo, describeDemo } from '../../demo/demo.ts'
import { addDemoEvidence } from '../../demo/demo-evidence.ts'
import { addDemoFiles } from '../../demo/demo-files.ts'
import { refuseUnfinishedRestore } from './backup/home-files.ts'
import { readSettings, type Settings } from './environment.ts'
import { takeLock } from './installation/lock.ts'
import { run, type Running } from './run.ts'

const STOP_MS = 15_000
const say = (line: string): void => console.log(line)

async function main(): Promise<void> {
  const startedAt = performance.now()
  const settings = readSettings()
  const lock = await takeLock(settings.home)
  let running: Running | null = null
  let isStopping = false
  let wantsStop = false

  const stop = async (code: number): Promise<void> => {
    if (isStopping) return
    isStopping = true
    // A connection that stays open must not block the shutdown.
    setTimeout(() => process.exit(1), STOP_MS + settings.drainSeconds * 1000).unref()
    try {
      await running?.stop()
    } catch (error) {
      console.error(error)
      process.exitCode = 1
    }
    await lock.release()
    process.exit(process.exitCode ?? code)
  }
  // A signal during startup lets the startup finish and then stops everything. A second signal exits at once.
  const requestStop = (): void => {
    if (running !== null) void stop(0)
    else if (wantsStop) process.exit(1)
    wantsStop = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
  // `npm start` holds an IPC channel to this process: if it is killed, this process stops too.
  process.on('disconnect', requestStop)
  process.channel?.unref()
  process.on('SIGPIPE', () => {})

  try {
    await refuseUnfinishedRestore(settings.home)
    running = await run(settings, say, async (database, asOwner, identity, storage) => {
      if (isDemoWanted(settings, database.mode) && (await loadDemo(asOwner, identity))) {
        await addDemoFiles(asOwner, storage)
        await addDemoEvidence(asOwner, storage)
        say('Loaded the demo data.')
      }
    })
  } catch (error) {
    await lock.release()
    throw error
  }
  running.database.onExit((reason) => {
    console.error(`The database stopped unexpectedly: ${reason}`)
    void stop(1)
  })
  if (wantsStop) return stop(0)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  // One write, so that a process waiting for the first line gets all of them.
  say(
    [
      `Forecourt is ready at ${settings.publicUrl ?? running.address} (${seconds} s). Press Ctrl-C to stop it.`,
      ...describeSignIn(running, settings),
      ...(running.isCopy ? [`${RESTORED_COPY} See what waits: npm run outgoing`] : []),
      ...(settings.publicUrl === null && !settings.isLoopback
        ? [
            `Warning: links in emails lead to ${running.address}. Set PUBLIC_URL to the address that people use.`,
          ]
        : []),
    ].join('\n'),
  )
}

function describeSignIn({ setUpLink, hasDemoUsers }: Running, settings: Settings): string[] {
  if (setUpLink !== null) return [`There are no users yet. Set up Forecourt at ${setUpLink}`]
  if (!hasDemoUsers) return []
  const warning =
    'Note: a proxy is trusted and the demo accounts are enabled. Set FORECOURT_DEMO=0 to disable them.'
  return settings.trustProxy === false ? [describeDemo()] : [describeDemo(), warning]
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
