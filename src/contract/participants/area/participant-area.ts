import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { exactlyOne, Id, Instant, line, optionalLine } from '#contract/fields.ts'
import { AnswerEvidence } from '#contract/assessments/targets/answer-evidence.ts'
import { Mutations, SavedAnswers, StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import { AnswerState } from '#contract/questions/answer-state.ts'
import { Comment, Delegation } from '#contract/assessments/targets/collaboration.ts'
import { Presence, PresentPerson } from '#contract/assessments/targets/presence.ts'
import { Day } from '#contract/assessments/assessments/assessments.ts'
import { TARGET_STATE_VALUES } from '#contract/assessments/targets/target-states.ts'
import { Flag, OfferedAnswer } from '#contract/assessments/targets/targets.ts'
import { Definition } from '#contract/questions/definition.ts'
import { Sha256, SnapshotCheck } from '#contract/snapshots.ts'
import { PARTICIPANT_LANGUAGES, PARTICIPANT_ROLES, ParticipantEmail } from '../invitations/participants.ts'

/** The page that a link opens. The token follows in the fragment, which servers and referrers don't see. */
export const PARTICIPANTS_PAGE = '/participants'
/** A session ends this long after the last call. */
export const SESSION_IDLE_MINUTES = 120
/** A session ends this long after it began. */
export const SESSION_HOURS = 12

const Language = z.enum(PARTICIPANT_LANGUAGES)
const code = z.string().min(1).max(60)
const ofTarget = z.strictObject({ targetId: Id })
const byId = z.strictObject({ id: Id })
const longText = (max: number, name: string) =>
  z
    .string(`${name} must be text.`)
    .overwrite(trimmed)
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Remove the special characters.')

/** A questionnaire that the participant works on. */
export const ParticipantTask = z.object({
  targetId: z.string(),
  assessmentName: z.string(),
  /** Of the facility, or of the organization. */
  targetName: z.string(),
  organizationName: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  dueOn: z.string(),
  isOverdue: z.boolean(),
  state: z.enum(TARGET_STATE_VALUES),
  role: z.enum(PARTICIPANT_ROLES),
  /** Answers only what was delegated to them. */
  isDelegate: z.boolean(),
  /** Who invited them. */
  sender: z.string().nullable(),
  questions: z.number().int(),
  answered: z.number().int(),
  /** Questions of which a reviewer wants a change. */
  requestedChanges: z.number().int(),
  /** When the participant submitted, or finished their part. */
  submittedAt: Instant.nullable(),
  /** Whether answers are taken now; `early`: from `opensOn` on. */
  phase: z.enum(['early', 'open', 'closed']),
  opensOn: z.string(),
})
export type ParticipantTask = z.infer<typeof ParticipantTask>

export const ParticipantWork = z.object({
  participantId: z.string(),
  name: z.string(),
  email: z.string(),
  language: Language,
  tasks: z.array(ParticipantTask),
})
export type ParticipantWork = z.infer<typeof ParticipantWork>

/** What a participant keeps as proof. */
export const Receipt = z.object({
  targetId: z.string(),
  /** The start of `sha256`, in groups: "4F2A-91BC-07DE". Null for a contributor, who finishes their part only. */
  number: z.string().nullable(),
  assessmentName: z.string(),
  targetName: z.string(),
  submittedAt: Instant,
  answered: z.number().int(),
  questions: z.number().int(),
  /** Of the frozen answers; null for a contributor. */
  sha256: z.string().nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/** A questionnaire with everything that the participant's page shows. */
export const ParticipantQuestionnaire = ParticipantTask.extend({
  /** Of the questionnaire. It changes when the sender moves the assessment to another version. */
  version: z.number().int(),
  definition: Definition,
  answers: z.array(StoredAnswer),
  evaluation: AnswerState,
  /** Questions that the participant can change now if they are asked: whether they are follows from the answers. */
  open: z.array(z.string()),
  /** Rows of tables that the participant can change though not the rest of the table. */
  openRows: z.array(z.object({ questionCode: z.string(), rowKey: z.string() })),
  /** What others were asked to answer: those parts are closed for the reader. Empty for a delegate. */
  delegations: z.array(Delegation),
  /** Questions that are the participant's own: delegated to them, or not delegated to anyone else. */
  mine: z.array(z.string()),
  /** Without internal ones. */
  comments: z.array(Comment),
  flags: z.array(Flag),
  evidence: z.array(AnswerEvidence),
  offered: z.array(OfferedAnswer),
  facilities: z.array(z.object({ value: z.string(), label: z.string() })),
  /** Null before the participant submits, and again once changes are requested. */
  receipt: Receipt.nullable(),
})
export type ParticipantQuestionnaire = z.infer<typeof ParticipantQuestionnaire>

/** Made by the device, so that it can send a file again without storing it twice. */
const UploadId = z.string().regex(/^[\w-]{16,64}$/)
const WORK = '/api/participants/get-work'
const QUESTIONNAIRE = '/api/participants/get-questionnaire/{id}'
const CHANGED = [WORK, QUESTIONNAIRE] as const

/** What people do who opened an invitation. None of it needs an account. */
export const participantArea = {
  open: endpoint({
    method: 'POST',
    path: '/api/participants/open-invitation',
    allow: 'anyone',
    isSecretLink: true,
    summary:
      'Begins a session with the token of an invitation link. The link can be opened again until the answers are submitted. Unknown, expired, revoked and used tokens get the same 404.',
    input: z.strictObject({ token: z.string().max(200) }),
    output: z.object({ accessToken: z.string(), participantId: z.string(), targetId: z.string() }),
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/participants/sign-out',
    allow: 'participant',
    summary: 'Ends the session. The invitation link can be opened again.',
  }),
  work: endpoint({
    method: 'GET',
    path: WORK,
    allow: 'participant',
    summary: 'Lists the questionnaires of the participant.',
    output: ParticipantWork,
  }),
  setLanguage: endpoint({
    method: 'POST',
    path: '/api/participants/set-language',
    allow: 'participant',
    summary: "Sets the language of the participant's pages and emails.",
    input: z.strictObject({ language: Language }),
    changes: [WORK],
  }),
  get: endpoint({
    method: 'GET',
    path: QUESTIONNAIRE,
    allow: 'participant',
    summary: 'Returns a questionnaire of the participant with its questions, answers and requested changes.',
    input: byId,
    output: ParticipantQuestionnaire,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/participants/save-answers',
    allow: 'participant',
    summary:
      'Saves changes of answers in the order they are sent. Sending a change again returns the same response.',
    input: z.strictObject({ targetId: Id, mutations: Mutations }),
    output: SavedAnswers,
  }),
  reportPresence: endpoint({
    method: 'POST',
    path: '/api/participants/report-presence',
    allow: 'participant',
    summary:
      'Says that the participant has a questionnaire open, and at which question they are. Returns who else has; a delegate sees those at their own questions only.',
    input: Presence,
    output: z.array(PresentPerson),
  }),
  delegate: endpoint({
    method: 'POST',
    path: '/api/participants/delegate',
    allow: 'participant',
    summary:
      'Asks a colleague by email to answer a section, a question or a row of a table. They see only that.',
    input: z
      .strictObject({
        targetId: Id,
        sectionId: code.optional(),
        questionCode: code.optional(),
        rowKey: z
          .string()
          .regex(/^[\w-]{1,40}$/)
          .optional(),
        name: line(100, 'Name'),
        email: ParticipantEmail,
        message: optionalLine(1_000, 'Message').transform((message) => message ?? null),
      })
      .superRefine(exactlyOne(['sectionId', 'questionCode'], 'Choose a section or a question.'))
      .refine(({ rowKey, questionCode }) => rowKey === undefined || questionCode !== undefined, {
        path: ['questionCode'],
        error: 'Choose the question of the row.',
      }),
    output: Delegation,
    outside: true,
    changes: CHANGED,
  }),
  takeBack: endpoint({
    method: 'POST',
    path: '/api/participants/take-back',
    allow: 'participant',
    summary: 'Ends a delegation. Answers stay.',
    input: z.strictObject({ targetId: Id, id: Id }),
    changes: CHANGED,
  }),
  remind: endpoint({
    method: 'POST',
    path: '/api/participants/remind-delegate',
    allow: 'participant',
    summary: 'Emails a new link to the person a part was delegated to, at most once a day.',
    input: z.strictObject({ targetId: Id, id: Id }),
    outside: true,
    changes: CHANGED,
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/participants/ask-sender',
    allow: 'participant',
    summary: 'Asks the sender of the invitation about a question or the whole questionnaire.',
    input: z.strictObject({
      targetId: Id,
      questionCode: code.nullable().optional().default(null),
      text: longText(2_000, 'Question'),
    }),
    output: Comment,
    changes: CHANGED,
  }),
  addEvidence: endpoint({
    method: 'POST',
    path: '/api/participants/add-evidence',
    kind: 'upload',
    allow: 'participant',
    summary:
      'Uploads evidence for a question (PDF, images, spreadsheets or text), all files or none. A file sent again under the same `uploadId` is stored once.',
    input: z.strictObject({ targetId: Id, questionCode: code, uploadId: UploadId.optional() }),
    output: z.array(AnswerEvidence),
    changes: [QUESTIONNAIRE],
  }),
  useEvidence: endpoint({
    method: 'POST',
    path: '/api/participants/use-evidence',
    allow: 'participant',
    summary:
      'Uses a file for a question, and sets until when it is valid. Files of the previous round are offered while they are valid.',
    input: z.strictObject({
      targetId: Id,
      id: Id,
      questionCode: code,
      validUntil: Day.nullable().optional(),
    }),
    output: AnswerEvidence,
    changes: [QUESTIONNAIRE],
  }),
  removeEvidence: endpoint({
    method: 'POST',
    path: '/api/participants/remove-evidence',
    allow: 'participant',
    summary:
      'Removes a file from a question, and deletes it if no other question uses it. Contributors remove what they added.',
    input: z.strictObject({ targetId: Id, id: Id, questionCode: code }),
    changes: [QUESTIONNAIRE],
  }),
  downloadEvidence: endpoint({
    method: 'GET',
    path: '/api/participants/get-evidence-file/{id}',
    kind: 'download',
    allow: 'participant',
    summary: "Downloads an evidence file of one of the participant's questionnaires.",
    input: z.strictObject({ id: Id, targetId: Id }),
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/participants/submit',
    allow: 'participant',
    summary:
      'Submits the questionnaire; a contributor finishes their part. The invitation link is used up. Returns 409 with the open required questions in `fields`.',
    input: ofTarget,
    output: Receipt,
    changes: CHANGED,
  }),
  submission: endpoint({
    method: 'GET',
    path: '/api/participants/get-submission/{id}',
    kind: 'download',
    allow: 'participant',
    summary:
      'Downloads the submitted answers of a questionnaire as JSON, byte for byte as they were frozen. Their SHA-256 is the one of the receipt. Only for the owner.',
    input: byId,
  }),
  verifySubmission: endpoint({
    method: 'POST',
    path: '/api/participants/verify-submission',
    allow: 'participant',
    writes: false,
    summary:
      'Checks that the frozen answers of a questionnaire still have the SHA-256 of the receipt, and which submission a file with the given SHA-256 is.',
    input: z.strictObject({ targetId: Id, sha256: Sha256.optional() }),
    output: SnapshotCheck,
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/participants/get-answers-pdf/{id}',
    kind: 'download',
    allow: 'participant',
    summary: 'Downloads the answers of a questionnaire as a PDF.',
    input: byId,
  }),
}
