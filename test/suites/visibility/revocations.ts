import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { auth } from '#contract/identity/auth.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { users } from '#contract/identity/users/users.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import { sessionIdOf } from '#test/factories/identity/sessions.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'
import { addInbound, addPeople, addSource, openWith, type World } from './world.ts'
import { callAs, freshAdf, get, participantCalls, post, type Reading, tryLink } from './surfaces.ts'

/** A link, a key or a session that is taken back. */
export type Revocation = Readonly<{
  name: string
  /** The calls that do it. */
  by: readonly string[]
  /** `read` tries what it opens: every reading is accepted before, and refused afterwards. */
  prepare: (world: World) => Promise<{
    read: () => Promise<readonly Reading[]>
    revoke: () => Promise<unknown>
  }>
}>

/** A file of a channel of its own. */
const channel =
  (revoke: (place: TestOrganization, id: string) => Promise<unknown>): Revocation['prepare'] =>
  async (world) => {
    const { place, forecourt } = world
    const { id, feedPath } = await place.call(channels.add, {
      name: fresh('Channel'),
      kind: 'csv',
      destination: 'pull',
      secret: null,
    })
    await place.call(channels.run, { id })
    await forecourt.channels.workDue()
    return {
      read: async () => [await get(world, feedPath ?? '', 'localhost')],
      revoke: () => revoke(place, id),
    }
  }

const inbound =
  (revoke: (place: TestOrganization, id: string) => Promise<unknown>): Revocation['prepare'] =>
  async (world) => {
    const { id, adfPath, mailPath } = await addInbound(world.place)
    const read = async () => [
      await post(world, adfPath, freshAdf(), 'application/xml'),
      await post(world, mailPath, freshAdf(), 'application/xml'),
    ]
    return { read, revoke: () => revoke(world.place, id) }
  }

const feed =
  (revoke: (place: TestOrganization, id: string) => Promise<unknown>): Revocation['prepare'] =>
  async (world) => {
    const { id, path } = await addSource(world.place, 'api')
    return {
      read: async () => [await post(world, path, `Stock\n${fresh('S')}\n`, 'text/csv')],
      revoke: () => revoke(world.place, id),
    }
  }

/** The link and the session of a participant, and every call of it. */
const participant =
  (
    revoke: (place: TestOrganization, of: World['invitation'] & { assessmentId: string }) => Promise<unknown>,
    { isUnanswered = false } = {},
  ): Revocation['prepare'] =>
  async (world) => {
    const { invitation, assessmentId } = isUnanswered
      ? await addInvited(world)
      : await addPeople(world.forecourt, world.place)
    const own = { ...world, invitation }
    const read = async () => {
      const link = await tryLink(world, invitation.token)
      const names = participantCalls.map(([name]) => name).filter((name) => READS.has(name))
      return [link, ...(await Promise.all(names.map((name) => callAs(own, invitation.session, name))))]
    }
    return { read, revoke: () => revoke(world.place, { ...invitation, assessmentId }) }
  }
/** What has answers is kept instead of being removed. */
async function addInvited({ forecourt, place }: World) {
  const added = await place.addParticipant()
  const token = await place.linkOf(added)
  const { id, targetId, assessmentId } = added
  return { assessmentId, invitation: { id, targetId, token, session: await openWith(forecourt, token) } }
}
/** Calls that a participant's page reads. After a revocation, those that write are refused with them: one guard finds the person. */
const READS = new Set(['work', 'get', 'reportPresence'])

/** A user of the customer with a session. */
const user =
  (
    revoke: (place: TestOrganization, of: { id: string; sessionId: string }) => Promise<unknown>,
  ): Revocation['prepare'] =>
  async ({ place, forecourt }) => {
    const userName = freshCode('leaver.')
    const id = await place.addMember({ userName, userType: 'Dealer user' })
    const session = await forecourt.as(userName)
    const sessionId = sessionIdOf(session)
    return {
      read: async () => [await session.send({ method: 'GET', url: auth.authFunc.path })],
      revoke: () => revoke(place, { id, sessionId }),
    }
  }

export const REVOCATIONS: readonly Revocation[] = [
  {
    name: 'a replaced link of a channel file',
    by: ['channels.renewAddress'],
    prepare: channel((place, id) => place.call(channels.renewAddress, { id })),
  },
  {
    name: 'the file of a channel that is off',
    by: ['channels.update'],
    prepare: channel((place, id) => place.call(channels.update, { id, isActive: false })),
  },
  {
    name: 'the file of a deleted channel',
    by: ['channels.remove'],
    prepare: channel((place, id) => place.call(channels.remove, { id })),
  },
  {
    name: 'replaced URLs of an inbound address',
    by: ['inboundAddresses.renewUrls'],
    prepare: inbound((place, id) => place.call(inboundAddresses.renewUrls, { id })),
  },
  {
    name: 'revoked URLs of an inbound address',
    by: ['inboundAddresses.revoke'],
    prepare: inbound((place, id) => place.call(inboundAddresses.revoke, { id })),
  },
  {
    name: 'a deleted inbound address',
    by: ['inboundAddresses.remove'],
    prepare: inbound((place, id) => place.call(inboundAddresses.remove, { id })),
  },
  {
    name: 'a replaced URL of a feed',
    by: ['feedSources.renewToken'],
    prepare: feed((place, id) => place.call(feedSources.renewToken, { id })),
  },
  {
    name: 'the URL of a feed that is off',
    by: ['feedSources.update'],
    prepare: feed((place, id) => place.call(feedSources.update, { id, isActive: false })),
  },
  {
    name: 'the URL of a deleted feed',
    by: ['feedSources.remove'],
    prepare: feed((place, id) => place.call(feedSources.remove, { id })),
  },
  {
    name: 'a revoked invitation',
    by: ['assessmentParticipants.revoke'],
    prepare: participant((place, { id }) => place.call(assessmentParticipants.revoke, { ids: [id] })),
  },
  {
    name: 'the link before a copied one, and its session',
    by: ['assessmentParticipants.copyLink'],
    prepare: participant((place, { id }) => place.call(assessmentParticipants.copyLink, { id })),
  },
  {
    name: 'the link before an emailed one, and its session',
    by: ['assessmentParticipants.send'],
    prepare: participant((place, { id }) => place.call(assessmentParticipants.send, { ids: [id] })),
  },
  {
    name: 'an invitation to a target that was removed',
    by: ['assessmentTargets.remove'],
    prepare: participant((place, { targetId }) => place.call(assessmentTargets.remove, { ids: [targetId] }), {
      isUnanswered: true,
    }),
  },
  {
    name: 'an invitation to a deleted assessment',
    by: ['assessments.remove'],
    prepare: participant((place, { assessmentId }) => place.call(assessments.remove, { id: assessmentId }), {
      isUnanswered: true,
    }),
  },
  {
    name: 'the page of a deleted form',
    by: ['forms.remove'],
    async prepare(world) {
      const { id, key } = await world.place.addForm()
      return {
        read: async () => [await get(world, `/f/${key}`)],
        revoke: () => world.place.call(forms.remove, { id }),
      }
    },
  },
  {
    name: 'a session that was ended',
    by: ['sessions.endOfUser'],
    prepare: user((place, of) => place.call(sessions.endOfUser, of)),
  },
  {
    name: 'all sessions of a user',
    by: ['sessions.endSessionsOfUser'],
    prepare: user((place, { id }) => place.call(sessions.endSessionsOfUser, { id })),
  },
  {
    name: 'the session of a deactivated user',
    by: ['users.update', 'users.change'],
    prepare: user((place, { id }) => place.call(users.update, { user: { id, isActive: false } })),
  },
  {
    name: 'the session of a deleted user',
    by: ['users.remove'],
    prepare: user((place, { id }) => place.call(users.remove, { id })),
  },
]

/** What a delegate sees once the question was taken back. */
export async function takeBack({ place, delegate }: World): Promise<void> {
  await place.call(assessmentAnswers.takeBack, { id: delegate.delegationId })
}
/** The calls that take a question back. */
export const TAKES_BACK = ['assessmentAnswers.takeBack', 'participantArea.takeBack'] as const
