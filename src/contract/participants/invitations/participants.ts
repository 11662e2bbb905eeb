import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { exactlyOne, Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { MAIL_STATES } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import {
  Day,
  OPENING_CHECK,
  OPENING_EMAILS,
  PARTICIPANTS,
  TARGETS,
} from '#contract/assessments/assessments/assessments.ts'
import { TARGET } from '#contract/assessments/targets/targets.ts'

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

/** How long a link works if nothing else was chosen: this long, and at least this long after the due date. */
export const INVITATION_DAYS = 30
/** The longest time a link can work. */
export const MOST_INVITATION_DAYS = 730
const MOST_PEOPLE = 200

/** A person of a target who has no account, with their invitation. */
export const Invitation = z.object({
  /** Of the person at the target, as in `TargetPerson`. */
  id: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  organizationName: z.string(),
  participantId: z.string(),
  name: z.string(),
  email: z.string(),
  language: z.enum(PARTICIPANT_LANGUAGES),
  role: z.enum(PARTICIPANT_ROLES),
  /** Answers only what is delegated to them. */
  isDelegate: z.boolean(),
  state: z.enum(STATES),
  /** Who invited them, staff or another participant; null before that. */
  invitedBy: z.string().nullable(),
  /** Null before the first invitation. */
  expiresAt: Instant.nullable(),
  sentAt: Instant.nullable(),
  bouncedAt: Instant.nullable(),
  openedAt: Instant.nullable(),
  /** Their first answer. */
  startedAt: Instant.nullable(),
  submittedAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  /** Status of the latest email; null without one. `kept`: emails aren't sent, so copy the link. */
  mailState: z.enum(MAIL_STATES).nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** A person who was invited before, to choose again. */
export const KnownParticipant = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  email: z.string(),
  language: z.enum(PARTICIPANT_LANGUAGES),
})
export type KnownParticipant = z.infer<typeof KnownParticipant>

export const ParticipantEmail = line(254, 'Email').pipe(z.email('Enter a valid email address.'))
const Language = z.enum(PARTICIPANT_LANGUAGES, 'Choose a language.')
const Message = optionalLine(1_000, 'Message').transform((message) => message ?? null)
const ids = z
  .array(Id)
  .min(1, 'Select at least one person.')
  .max(MOST_PEOPLE, `Select at most ${MOST_PEOPLE} people at a time.`)

const Person = z.strictObject({
  targetId: Id,
  name: line(100, 'Name'),
  email: ParticipantEmail,
  language: Language.default('en'),
  role: z.enum(PARTICIPANT_ROLES, 'Choose a role.').default('owner'),
})

const LIST = PARTICIPANTS
const KNOWN = '/api/assessments/get-known-participants'
const CHANGED = [LIST, KNOWN, TARGETS, TARGET, OPENING_CHECK, OPENING_EMAILS] as const

/** People without an account who answer assessments, and their invitations, as staff manage them. */
export const assessmentParticipants = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.participants, Opr.list),
    summary:
      'Lists the people of an assessment or target who have no account, with the status of their invitations.',
    input: z
      .strictObject({ assessment: Id.optional(), target: Id.optional() })
      .superRefine(exactlyOne(['assessment', 'target'], 'Choose an assessment or a target.')),
    output: z.array(Invitation),
  }),
  known: endpoint({
    method: 'GET',
    path: KNOWN,
    allow: can(Func.participants, Opr.list),
    summary: 'Finds people who were added before, by name or email. At most 50.',
    input: z.strictObject({ organization: Id.optional(), search: z.string().trim().max(100).optional() }),
    output: z.array(KnownParticipant),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/assessments/add-participants',
    allow: can(Func.participants, Opr.create),
    summary:
      'Adds people to targets and emails their invitations. In a draft, invitations are sent when the assessment opens. A new owner replaces the former one.',
    input: z.strictObject({
      people: z
        .array(Person)
        .min(1, 'Add at least one person.')
        .max(MOST_PEOPLE, `Add at most ${MOST_PEOPLE} people at a time.`)
        .refine(
          (people) =>
            new Set(people.map(({ targetId, email }) => `${targetId} ${email.toLowerCase()}`)).size ===
            people.length,
          'Each person can be listed once for each target.',
        ),
      message: Message,
      /** The last day on which the links work, in UTC. */
      expiresOn: Day.optional(),
    }),
    output: z.array(Invitation),
    outside: true,
    changes: CHANGED,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/assessments/update-participant',
    allow: can(Func.participants, Opr.update),
    summary:
      'Corrects the name, email or language of a person. After a change of the email, their links stop working and new invitations are needed.',
    input: z.strictObject({
      id: Id,
      name: line(100, 'Name'),
      email: ParticipantEmail,
      language: Language,
      /** The person as the caller saw them. Returns 409 with the current one if another user has corrected them since. */
      known: z.strictObject({ name: z.string(), email: z.string(), language: Language }).optional(),
    }),
    output: KnownParticipant,
    changes: CHANGED,
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/assessments/send-invitations',
    allow: can(Func.participants, Opr.update),
    summary:
      'Emails links, for the first time or again, and extends the expiry. Earlier links stop working, except with `isReminder`: a reminder adds a link, and leaves out people who got an email in the last 12 hours. Returns 409 for people who submitted, if all were left out, and while the assessment is not open.',
    input: z.strictObject({
      ids,
      message: Message,
      expiresOn: Day.optional(),
      isReminder: z.boolean('Reminder must be true or false.').default(false),
    }),
    output: z.array(Invitation),
    outside: true,
    changes: CHANGED,
  }),
  extend: endpoint({
    method: 'POST',
    path: '/api/assessments/extend-invitations',
    allow: can(Func.participants, Opr.update),
    summary: 'Changes until when links work. An expired link works again.',
    input: z.strictObject({ ids, expiresOn: Day }),
    output: z.array(Invitation),
    changes: CHANGED,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/assessments/revoke-invitations',
    allow: can(Func.participants, Opr.delete),
    summary: 'Stops links from working and ends access immediately. Saved answers stay.',
    input: z.strictObject({ ids }),
    output: z.array(Invitation),
    changes: CHANGED,
  }),
  copyLink: endpoint({
    method: 'POST',
    path: '/api/assessments/copy-invitation-link/{id}',
    allow: can(Func.participants, Opr.update),
    summary:
      'Makes a new link for a person and returns it once. Earlier links of the person to this target stop working.',
    input: z.strictObject({ id: Id }),
    output: z.object({ url: z.string(), expiresAt: Instant }),
    changes: CHANGED,
  }),
}
