// `npm run rotate-secret`
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'
import { rotateSecret } from './rotate-secret.ts'

await runCommand(async (args) => {
  const [odd] = readArguments(args, []).words
  if (odd !== undefined) throw new Error(`${odd} means nothing here.`)
  const { sealed, lost, kept } = await rotateSecret(readSettings(), { now: clock.date(), say })
  say(`Sealed ${sealed} values with the new key. Everybody signs in again.`)
  if (lost > 0) say(`${lost} values were left: no key opens them, as before.`)
  say(
    kept === null
      ? 'FORECOURT_SECRET may lose its older keys now. Backups made before need them: keep them at another place.'
      : `The old key is in ${kept}. Backups made before need it: take it to another place, and remove it with the last of them.`,
  )
})
