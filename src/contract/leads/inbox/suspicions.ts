/** Why a lead or a form submission looks like spam, or could not be checked. Such a lead waits in quarantine, where a user decides. */
export const SUSPICIONS = {
  trap: "A field that people don't see was filled in.",
  fast: 'It was sent within seconds of opening the page.',
  rate: 'Many forms came within an hour from its network, or from browsers without JavaScript.',
  links: 'It contains several links.',
  noPage: 'It was sent without opening the page.',
  noProof:
    'Its browser did not complete the check for programs, which is automatic in browsers with JavaScript.',
  unchecked: 'It was received while the database was away, and not all of its answers are valid.',
  closed: 'Its form was closed before it could be stored.',
  spamMark: 'The email provider marked it as spam.',
} as const
export type Suspicion = keyof typeof SUSPICIONS
const isSuspicion = (name: string): name is Suspicion => Object.hasOwn(SUSPICIONS, name)
export const SUSPICION_CODES: readonly Suspicion[] = Object.keys(SUSPICIONS).filter(isSuspicion)

const UNCHECKED: ReadonlySet<Suspicion> = new Set(['unchecked', 'closed'])
/** Whether something looks like spam, and isn't only in quarantine because it was received while the database was away. */
export const looksLikeSpam = (suspicions: readonly Suspicion[]): boolean =>
  suspicions.some((suspicion) => !UNCHECKED.has(suspicion))
