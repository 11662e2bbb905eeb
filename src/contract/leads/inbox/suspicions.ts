/** Why a lead or a form submission looks like spam. Such a lead waits in quarantine, where a user decides. */
export const SUSPICIONS = {
  trap: "A field that people don't see was filled in.",
  fast: 'It was sent within seconds of opening the page.',
  rate: 'Its network sent many forms within an hour.',
  links: 'It contains several links.',
  noPage: 'It was sent without opening the page.',
  noProof: 'Its browser did not complete the proof of work.',
  spamMark: 'The email provider marked it as spam.',
} as const
export type Suspicion = keyof typeof SUSPICIONS
const isSuspicion = (name: string): name is Suspicion => Object.hasOwn(SUSPICIONS, name)
export const SUSPICION_CODES: readonly Suspicion[] = Object.keys(SUSPICIONS).filter(isSuspicion)
