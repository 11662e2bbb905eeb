import { participantArea } from '#contract/participants/area/participant-area.ts'
import {
  assessmentParticipants,
  type Invitation,
  type ParticipantRole,
} from '#contract/participants/invitations/participants.ts'
import { type Caller, makeCaller } from '#test/app.ts'
import type { AddedAssessment, AssessmentFactories } from '#test/factories/assessments/add-assessments.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

type Added = { id: string; participantId: string; targetId: string; assessmentId: string }

export type ParticipantFactories = {
  /** Invites a person with a new email to the target of a new, open assessment. */
  addParticipant: (more?: { role?: ParticipantRole; to?: AddedAssessment; email?: string }) => Promise<Added>
  /** A new link of a person at a target: its token. */
  linkOf: (added: Pick<Added, 'id'>) => Promise<string>
  /** Opens a new link: a client with the participant's session. */
  openLink: (added: Pick<Added, 'id'>) => Promise<Caller>
  /** Invites one and the same person of this organization to a new target. @returns the target */
  addOwnTarget: () => Promise<Added>
  /** A new session of that person, who reaches all of those targets. */
  asParticipant: () => Promise<Caller>
}

export function participantFactories(
  place: Place,
  { addAssessment }: Pick<AssessmentFactories, 'addAssessment'>,
): ParticipantFactories {
  const { call, forecourt, organizationId } = place
  const addParticipant: ParticipantFactories['addParticipant'] = async ({
    role = 'owner',
    to,
    email,
  } = {}) => {
    const { id: assessmentId, targetId } = to ?? (await addAssessment())
    const [added] = await call(assessmentParticipants.add, {
      people: [
        {
          targetId,
          name: 'Tom Becker',
          email: email ?? `${fresh('tom').replace(' ', '.')}@people.example`,
          role,
        },
      ],
    })
    return { ...requireAdded(added), targetId, assessmentId }
  }
  const linkOf: ParticipantFactories['linkOf'] = async ({ id }) => {
    const { url } = await call(assessmentParticipants.copyLink, { id })
    return new URL(url).hash.slice(1)
  }
  const openLink: ParticipantFactories['openLink'] = async (added) => {
    const { accessToken } = await forecourt.anonymous.call(participantArea.open, {
      token: await linkOf(added),
    })
    return makeCaller(forecourt.app, accessToken)
  }
  const addOwnTarget = () => addParticipant({ email: `pat.${organizationId}@people.example` })
  return {
    addParticipant,
    linkOf,
    openLink,
    addOwnTarget,
    asParticipant: async () => openLink(await addOwnTarget()),
  }
}

function requireAdded(added: Invitation | undefined): { id: string; participantId: string } {
  if (added === undefined) throw new Error('The participant was not added.')
  return added
}

/** A client that calls the participants' endpoints with a participant's session, opened when it is first needed. */
export function withParticipant(caller: Caller, open: () => Promise<Caller>): Caller {
  let own: Promise<Caller> | null = null
  const pick = (path: string): Promise<Caller> =>
    path.startsWith('/api/participants/') ? (own ??= open()) : Promise.resolve(caller)
  return {
    token: caller.token,
    call: async (endpoint, input) => (await pick(endpoint.path)).call(endpoint, input),
    send: async (request) => (await pick(request.url)).send(request),
  }
}
