// `npm run restore -- <file> [--replace]`
import { resolve } from 'node:path'
import { restore } from './backup/restore.ts'
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'

await runCommand(async (args) => {
  const settings = readSettings()
  const { words, options } = readArguments(args, ['--replace'])
  const [archive, ...more] = words
  if (archive === undefined || more.length > 0)
    throw new Error('Enter one file: npm run restore -- /mnt/backups/forecourt.tar.gz')
  const { header, tables, files } = await restore({
    settings,
    archive: resolve(archive),
    isReplacing: options.includes('--replace'),
    backupKey: settings.backupKey,
    now: clock.date(),
    say,
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  say(`Restored ${tables.length} tables with ${rows} rows and ${files.count} files as of ${header.madeAt}.`)
  say('It is a restored copy: it sends and fetches nothing. To see what waits, or to begin: npm run outgoing')
})
