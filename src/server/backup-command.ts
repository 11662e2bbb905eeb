// `npm run backup [-- <file or folder>]`
import { stat } from 'node:fs/promises'
import { backUp } from './backup/backup.ts'
import type { ReferencedFiles } from './backup/referenced-files.ts'
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { countWaitingForms, waitingFormsFolder } from './installation/waiting-forms.ts'
import { readSettings, type Settings } from './environment.ts'

await runCommand(async (args) => {
  const settings = readSettings()
  const [target = null, ...more] = readArguments(args, []).words
  if (more.length > 0) throw new Error('Enter one file or folder: npm run backup -- /mnt/backups')
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
  const waiting = await countWaitingForms(waitingFormsFolder(settings.home))
  if (waiting > 0)
    say(
      `Not in the backup: ${waiting} forms that were received while the database was away, in ${waitingFormsFolder(settings.home)}. The running product stores them; back up again after that.`,
    )
  say(
    manifest.secretSealed === null
      ? 'The secret is not included. Keep FORECOURT_SECRET, or the file named secret in FORECOURT_HOME, in a separate place. The backup cannot be restored without it.'
      : 'The secret is included, encrypted with FORECOURT_BACKUP_KEY. Keep that key in a separate place.',
  )
})

function describeReferenced(
  referenced: ReferencedFiles | null,
  { azureStorage }: Pick<Settings, 'azureStorage'>,
): string {
  if (azureStorage !== null)
    return 'Files are in Azure Storage and are not in the backup. Back them up there.'
  if (referenced === null)
    return 'The database is older than this version of Forecourt, so the files were not checked for completeness.'
  const { count, missing } = referenced
  if (missing.length === 0) return `All ${count} files that the database refers to are included.`
  const [first = ''] = missing
  return (
    `Warning: ${missing.length} of the ${count} files that the database refers to are missing from FORECOURT_HOME/files and from the ` +
    `backup, such as ${first}. Run the backup with the FORECOURT_HOME that has the files.`
  )
}
