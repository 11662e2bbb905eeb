// `npm run admin:reset -- <user name> [--second-factor]`
import { resetOnServer } from './admin-reset.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'

await runCommand(async (args) => {
  const { words, options } = readArguments(args, ['--second-factor'])
  const [userName, ...more] = words
  if (userName === undefined || more.length > 0) {
    throw new Error('Name one person by their user name: npm run admin:reset -- robin.hale')
  }
  const takesFactors = options.includes('--second-factor')
  const done = await resetOnServer(readSettings(), { userName, takesFactors, say })
  say(`${done.fullName} (${done.userName}) may set a new password, once, until ${done.expiresAt}:`)
  say(done.link)
  say('Their sessions have ended, and wrong passwords are forgiven.')
  if (!takesFactors) return
  say(
    done.hadAuthenticator
      ? 'Their authenticator, backup codes and trusted devices were taken away.'
      : 'They had no authenticator. Trusted devices were taken away.',
  )
})
