/** A user of a team. Users who can't see the lead's store, or no longer exist, are not among the members. */
export type TeamMember = Readonly<{ userId: string; name: string; isOff: boolean }>

/** By member: the turn in which the team last gave them a lead. */
export type MemberTurns = Readonly<Record<string, number>>

/** `others`: who gets the lead if the member doesn't accept it, in this order. `member` is null if all are off. */
export type NextMember = Readonly<{ member: TeamMember | null; others: readonly TeamMember[]; why: string }>

/**
 * The member of a team who gets the next lead: of those who aren't off, the one who has waited longest, and of equals the
 * first. Who comes back from a vacation gets one lead first, and doesn't have to make up for the others.
 */
export function nextMember(members: readonly TeamMember[], turns: MemberTurns): NextMember {
  const turnOf = ({ userId }: TeamMember): number => turns[userId] ?? 0
  const here = members.filter(({ isOff }) => !isOff).toSorted((one, other) => turnOf(one) - turnOf(other))
  const off = members.filter(({ isOff }) => isOff).map(({ name }) => name)
  const [member, ...others] = here
  if (member === undefined)
    return { member: null, others, why: 'everyone in it is off, so it waits unassigned' }
  const but = off.length === 0 ? '' : ` (${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off)`
  return { member, others, why: `${member.name} is next of ${here.length}${but}` }
}
