// `npm run migrate [-- --dry-run]`
import { readArguments, runCommand, say } from './command.ts'
import { openWhileRunning } from './database/maintenance.ts'
import { listPending } from './database/migrate.ts'
import { openDatabase, withOwner } from './database/open-database.ts'
import { readSettings } from './environment.ts'
import { takeLock } from './installation/lock.ts'

await runCommand(async (args) => {
  const settings = readSettings()
  const { words, options } = readArguments(args, ['--dry-run'])
  if (words.length > 0) throw new Error(`Unknown argument ${words[0]}. Options: --dry-run.`)
  if (!options.includes('--dry-run')) {
    const lock = await takeLock(settings.home)
    try {
      await (await openDatabase(settings, say)).stop()
      say('The database is up to date.')
    } finally {
      await lock.release()
    }
    return
  }
  const database = await openWhileRunning(settings, say)
  try {
    const pending = await withOwner(database.owner, listPending)
    if (pending.length === 0) return say('The database is up to date. There is nothing to migrate.')
    say(`Nothing was changed. Starting Forecourt, or npm run migrate, would run ${pending.length}:`)
    for (const name of pending) say(`  ${name}`)
  } finally {
    await database.stop()
  }
})
