// `npm run rollback [-- <copy>]`
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { rollBack } from './database/roll-back.ts'
import { readSettings } from './environment.ts'

await runCommand(async (args) => {
  const [copy = null, ...more] = readArguments(args, []).words
  if (more.length > 0)
    throw new Error('Enter at most one copy: npm run rollback -- 2026-11-22T21-12-23-264Z-before-migration')
  const done = await rollBack({ settings: readSettings(), copy, now: clock.date(), say })
  say(`The database was rolled back to ${done.copy}. Later changes are not in it.`)
  say(`The database from after the upgrade is in ${done.kept}. Remove it when you no longer need it.`)
})
