// `npm run outgoing [-- begin [--discard-leads ...] | copy]`
import { OUTGOING_KINDS } from '#contract/home/outgoing.ts'
import { clock } from './clock.ts'
import { readArguments, runCommand, say } from './command.ts'
import { readSettings } from './environment.ts'
import {
  beginOutgoingOnServer,
  declareCopyOnServer,
  describeOutgoing,
  readOutgoingOnServer,
} from './outgoing.ts'

await runCommand(async (args) => {
  const discards = OUTGOING_KINDS.map(({ value }) => ({ kind: value, option: `--discard-${value}` }))
  const { words, options } = readArguments(
    args,
    discards.map(({ option }) => option),
  )
  const [action = 'list', ...more] = words
  if (
    more.length > 0 ||
    !['list', 'begin', 'copy'].includes(action) ||
    (action !== 'begin' && options.length > 0)
  )
    throw new Error('Enter one of: npm run outgoing, npm run outgoing -- begin, npm run outgoing -- copy')
  const given = { settings: readSettings(), say }
  if (action === 'copy') {
    await declareCopyOnServer(given, clock.date())
    say('This installation is a copy now. It sends and fetches nothing.')
    return
  }
  if (action === 'list') {
    for (const line of describeOutgoing(await readOutgoingOnServer(given))) say(line)
    return
  }
  const kinds = discards.flatMap(({ kind, option }) => (options.includes(option) ? [kind] : []))
  const { discarded } = await beginOutgoingOnServer(given, kinds)
  for (const { kind, count } of discarded) say(`Discarded ${count} of ${kind}.`)
  say(
    'This is the real installation now. What waits is sent and fetched within seconds while the product runs.',
  )
})
