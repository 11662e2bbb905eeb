// `npm run backup [-- <file or folder>]`
import { stat } from 'node:fs/promises'
import { backUp } from './backup/backup.ts'
import type { ReferencedFiles } from './backup/referenced-files.ts'
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings, type Settings } from './environment.ts'

await runCommand(async (args) => {
  const settings = readSettings()
  const [target = null, ...more] = readArguments(args, []).words
  if (more.length > 0) throw new Error('Name one file or folder: npm run backup -- /mnt/backups')
  const { path, manifest, referenced } = await backUp({
    settings,
    target,
    backupKey: settings.backupKey,
    now: clock.date(),
    say,
  })
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const megabytes = ((await stat(path)).size / 1024 / 1024).toFixed(1)
  say(`Backed up ${manifest.tables.length} tables with ${rows} rows and ${manifest.files.count} files.`)
  say(`${path} (${megabytes} MB)`)
  say(describeReferenced(referenced, settings))
  say(
    manifest.secretSealed === null
      ? 'The secret is not in it: keep FORECOURT_SECRET, or the file secret of FORECOURT_HOME, at another place. Without it nothing can be restored.'
      : 'The secret is in it, sealed with FORECOURT_BACKUP_KEY. Keep those words at another place.',
  )
})

function describeReferenced(
  referenced: ReferencedFiles | null,
  { azureStorage }: Pick<Settings, 'azureStorage'>,
): string {
  if (azureStorage !== null)
    return 'Files are in Azure Storage, of which the backup has nothing: copy them there.'
  if (referenced === null)
    return 'The database is older than this copy of Forecourt, so it was not checked whether the files are complete.'
  const { count, missing } = referenced
  if (missing.length === 0) return `All ${count} files that its rows name are in it.`
  const [first = ''] = missing
  return (
    `Warning: ${missing.length} of the ${count} files that its rows name are not in FORECOURT_HOME/files and not in the ` +
    `backup, for instance ${first}. Run it with the FORECOURT_HOME that has the files.`
  )
}
