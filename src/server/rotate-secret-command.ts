// `npm run rotate-secret`
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'
import { rotateSecret } from './rotate-secret.ts'

await runCommand(async (args) => {
  const [unknown] = readArguments(args, []).words
  if (unknown !== undefined) throw new Error(`Unknown argument ${unknown}.`)
  const { sealed, lost, kept } = await rotateSecret(readSettings(), { now: clock.date(), say })
  say(`Encrypted ${sealed} values with the new key. All users have to sign in again.`)
  if (lost > 0) say(`${lost} values were left unchanged, because no key decrypts them.`)
  say(
    kept === null
      ? 'You can now remove the older keys from FORECOURT_SECRET. Keep them in a separate place: earlier backups need them.'
      : `The old key is in ${kept}. Earlier backups need it: move it to a separate place, and remove it together with the last of them.`,
  )
})
