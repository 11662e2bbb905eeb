/** A user of a team. Users who can't see the lead's store, or no longer exist, are not among the members. */
export type TeamMember = Readonly<{
  userId: string
  name: string
  isOff: boolean
  /** Their share of the team's leads, from 1 to MAX_WEIGHT. */
  weight: number
  /** The most open leads, and the most leads of the team per day; null: no limit. */
  openCap: number | null
  dailyCap: number | null
}>

/** The largest weight. */
export const MAX_WEIGHT = 10
/** What a member with weight 1 moves on with each lead: the smallest number that every weight divides, so that shares are exact. */
const STEP = 2_520

/** Whose turn it is in a team. `shares`: how far each member is; the one who is least far gets the next lead. */
export type TeamTurns = Readonly<{
  /** Where the latest lead was given: a member who was away starts again there. */
  position: number
  shares: Readonly<Record<string, number>>
  /** The turn in which each last got a lead. */
  turns: Readonly<Record<string, number>>
}>

/** What members have, by their ID: open leads, and leads that the team gave them today. */
export type MemberLoad = Readonly<{
  open: Readonly<Record<string, number>>
  today: Readonly<Record<string, number>>
}>

/**
 * `others`: who gets the lead if the member doesn't accept it, in this order. `member` is null if no one can take it; with
 * `isFull`, because some have all the leads that they may have. `turns`: after this lead.
 */
export type NextMember = Readonly<{
  member: TeamMember | null
  others: readonly TeamMember[]
  isFull: boolean
  why: string
  turns: TeamTurns
}>

/**
 * The member of a team who gets the next lead: of those who are here and below their caps, the one who is least far by their
 * weight, of equals the one who has waited longest, and of those the first. As many leads as the sum of the weights give
 * each exactly their weight. Who comes back from a vacation, or below a cap, gets one lead first, and doesn't have to make up for the others.
 */
export function nextMember(
  members: readonly TeamMember[],
  { turns, turn, load }: { turns: TeamTurns | undefined; turn: number; load: MemberLoad },
): NextMember {
  const before = turns ?? { position: 0, shares: {}, turns: {} }
  const shareOf = ({ userId }: TeamMember): number => before.shares[userId] ?? 0
  const turnOf = ({ userId }: TeamMember): number => before.turns[userId] ?? 0
  const off = members.filter(({ isOff }) => isOff).map(({ name }) => name)
  const present = members.filter(({ isOff }) => !isOff)
  const full = present.flatMap((one) => whyFull(one, load) ?? [])
  const here = present
    .filter((one) => whyFull(one, load) === null)
    .toSorted((one, other) => shareOf(one) - shareOf(other) || turnOf(one) - turnOf(other))
  const away = off.length === 0 ? [] : [`${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off`]
  const [member, ...others] = here
  if (member === undefined) {
    const why =
      full.length === 0
        ? 'everyone in it is off, so it waits unassigned'
        : `no one can take more leads (${[...full, ...away].join(', ')})`
    return { member: null, others, isFull: full.length > 0, why, turns: before }
  }
  const but = [...away, ...full].join(', ')
  const weights = here.some(({ weight }) => weight !== member.weight)
    ? `, by weight ${members
        .filter((one) => here.includes(one))
        .map(({ weight }) => weight)
        .join(':')}`
    : ''
  const position = Math.max(before.position, shareOf(member))
  return {
    member,
    others,
    isFull: false,
    why: `${member.name} is next of ${here.length}${weights}${but === '' ? '' : ` (${but})`}`,
    turns: {
      position,
      shares: { ...before.shares, [member.userId]: position + STEP / member.weight },
      turns: { ...before.turns, [member.userId]: turn },
    },
  }
}

/** Why a member can't take another lead; null if they can. */
function whyFull(
  { userId, name, openCap, dailyCap }: TeamMember,
  { open, today }: MemberLoad,
): string | null {
  const [owned, given] = [open[userId] ?? 0, today[userId] ?? 0]
  if (openCap !== null && owned >= openCap)
    return `${name} has ${owned} open ${owned === 1 ? 'lead' : 'leads'}`
  if (dailyCap !== null && given >= dailyCap)
    return `${name} got ${given === 1 ? 'the only lead' : `all ${given} leads`} of the day`
  return null
}
