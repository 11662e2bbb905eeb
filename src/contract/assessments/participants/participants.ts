import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** The languages of the participants' pages and emails. */
export const PARTICIPANT_LANGUAGES = ['en', 'es', 'fr', 'de'] as const
export type ParticipantLanguage = (typeof PARTICIPANT_LANGUAGES)[number]

/** `owner`: answers and submits. `contributor`: answers. `reader`: sees the answers. */
export const PARTICIPANT_ROLES = ['owner', 'contributor', 'reader'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

/** `created`: not sent yet. `bounced`: the email came back or couldn't be sent. `opened`: without an answer so far. */
export const INVITATION_STATES = [
  { value: 'created', label: 'Not sent' },
  { value: 'sent', label: 'Sent' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'opened', label: 'Opened' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'submitted', label: 'Submitted' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'expired', label: 'Expired' },
] as const
const STATES = INVITATION_STATES.map(({ value }) => value)

/** How long a link works if nothing else was chosen: at least this long, and this long after the due date. */
export const INVITATION_DAYS = 30
const MOST_DAYS = 730
const MOST_PEOPLE = 200

/** What a contributor was asked to answer. A section includes its questions, a question all its rows. */
export const DelegatedPart = z.strictObject({
  section: z.string().max(100).optional(),
  question: z.string().max(100).optional(),
  row: z.string().max(100).optional(),
})
export type DelegatedPart = z.infer<typeof DelegatedPart>

/** An invitation of one person to one target. */
export const Invitation = z.object({
  id: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  participantId: z.string(),
  name: z.string(),
  email: z.string(),
  language: z.enum(PARTICIPANT_LANGUAGES),
  role: z.enum(PARTICIPANT_ROLES),
  /** Null: every question. */
  scope: z.array(DelegatedPart).nullable(),
  /** The participant who delegated it; null if staff sent it. */
  delegatedBy: z.string().nullable(),
  invitedBy: z.string().nullable(),
  state: z.enum(STATES),
  expiresAt: Instant,
  sentAt: Instant.nullable(),
  bouncedAt: Instant.nullable(),
  openedAt: Instant.nullable(),
  /** Their first answer. */
  startedAt: Instant.nullable(),
  submittedAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  /** Why the latest email wasn't delivered, as the mail server wrote it; null without one. */
  mailError: z.string().nullable(),
})
export type Invitation = z.infer<typeof Invitation>

export const Email = z.string().trim().max(254).pipe(z.email('Enter a valid email address.'))
/** The last day on which the link works, in UTC. */
const ExpiresOn = z.iso.date('Enter a date as 2026-03-01.').optional()
const Message = optionalLine(1_000, 'Message').transform((message) => message ?? null)
const ids = z
  .array(Id)
  .min(1, 'Select at least one person.')
  .max(MOST_PEOPLE, `Select at most ${MOST_PEOPLE} people at a time.`)

const Person = z.strictObject({
  targetId: Id,
  name: line(100, 'Name'),
  email: Email,
  language: z.enum(PARTICIPANT_LANGUAGES).default('en'),
  role: z.enum(PARTICIPANT_ROLES).default('owner'),
})

const LIST = '/api/assessments/get-participants'

/** The people of an assessment and their invitations, as staff manage them. */
export const assessmentParticipants = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.participants, Opr.list),
    summary: 'Lists the people invited to an assessment, with the status of their invitations.',
    input: z.strictObject({ assessment: Id, target: Id.optional() }),
    output: z.array(Invitation),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/assessments/invite-participants',
    allow: can(Func.participants, Opr.create),
    summary:
      'Invites people by email to answer targets of an assessment. A person who was already invited to the target gets a new link.',
    input: z.strictObject({
      assessmentId: Id,
      people: z
        .array(Person)
        .min(1, 'Add at least one person.')
        .max(MOST_PEOPLE, `Invite at most ${MOST_PEOPLE} people at a time.`)
        .refine(
          (people) =>
            new Set(people.map(({ targetId, email }) => `${targetId} ${email.toLowerCase()}`)).size ===
            people.length,
          'Each person can be listed only once for each target.',
        ),
      message: Message,
      expiresOn: ExpiresOn,
    }),
    output: z.array(Invitation),
    outside: true,
    changes: [LIST],
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/assessments/resend-invitations',
    allow: can(Func.participants, Opr.update),
    summary:
      'Emails new links. Earlier links stop working, and the expiry is extended. People who submitted are left out.',
    input: z.strictObject({ ids, message: Message, expiresOn: ExpiresOn }),
    output: z.array(Invitation),
    outside: true,
    changes: [LIST],
  }),
  extend: endpoint({
    method: 'POST',
    path: '/api/assessments/extend-invitations',
    allow: can(Func.participants, Opr.update),
    summary: 'Changes until when links work. An expired link works again.',
    input: z.strictObject({ ids, expiresOn: z.iso.date('Enter a date as 2026-03-01.') }),
    output: z.array(Invitation),
    changes: [LIST],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/assessments/revoke-invitations',
    allow: can(Func.participants, Opr.delete),
    summary: 'Stops links from working and ends access at once. Answers that were saved stay.',
    input: z.strictObject({ ids }),
    output: z.array(Invitation),
    changes: [LIST],
  }),
  copyLink: endpoint({
    method: 'POST',
    path: '/api/assessments/copy-invitation-link/{id}',
    allow: can(Func.participants, Opr.update),
    summary:
      'Creates a new link for an invitation and returns it once. Earlier links of the invitation stop working.',
    input: z.strictObject({ id: Id }),
    output: z.object({ url: z.string(), expiresAt: Instant }),
    changes: [LIST],
  }),
}

/** The most days until an invitation expires. */
export const MOST_INVITATION_DAYS = MOST_DAYS
