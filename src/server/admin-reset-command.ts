// `npm run admin:reset -- <user name> [--second-factor]`
import { resetOnServer } from './admin-reset.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'

await runCommand(async (args) => {
  const { words, options } = readArguments(args, ['--second-factor'])
  const [userName, ...more] = words
  if (userName === undefined || more.length > 0) {
    throw new Error('Enter one user name: npm run admin:reset -- robin.hale')
  }
  const removesFactors = options.includes('--second-factor')
  const done = await resetOnServer(readSettings(), { userName, removesFactors, say })
  say(`${done.fullName} (${done.userName}) can set a new password once, until ${done.expiresAt}:`)
  say(done.link)
  say('All their sessions have ended, and their failed sign-ins are cleared.')
  if (!removesFactors) return
  say(
    done.hadAuthenticator
      ? 'Their authenticator, backup codes and trusted devices were removed.'
      : 'They had no authenticator. Their trusted devices were removed.',
  )
})
