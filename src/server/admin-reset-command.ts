// `npm run admin:reset -- <user name> [--second-factor | --code]`
import { readCodeOnServer, resetOnServer } from './admin-reset.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'

await runCommand(async (args) => {
  const { words, options } = readArguments(args, ['--second-factor', '--code'])
  const [userName, ...more] = words
  if (userName === undefined || more.length > 0) {
    throw new Error('Enter one user name: npm run admin:reset -- robin.hale')
  }
  if (options.includes('--code')) {
    const { code, expiresAt } = await readCodeOnServer(readSettings(), { userName, say })
    say(`${userName} can sign in with the code ${code} until ${expiresAt}.`)
    return
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
