import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { exactlyOne, Id, Instant, optionalLine, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Day, TARGETS } from '../assessments/assessments.ts'
import { TARGET, TargetPerson } from './targets.ts'
import { AnswerEvidence } from './answer-evidence.ts'
import { Mutations, SavedAnswers } from './answer-schema.ts'
import { Comment, Delegation } from './collaboration.ts'

const code = z.string().min(1).max(60)
const ofTarget = z.strictObject({ targetId: Id })
const byId = z.strictObject({ id: Id })
const longLine = (max: number, name: string) =>
  z
    .string(`${name} must be text.`)
    .overwrite(trimmed)
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Remove the special characters.')

/** One entry of the answer log. */
export const LogEntry = z.object({
  number: z.number().int(),
  kind: z.enum(['answer', 'refused', 'state']),
  questionCode: z.string().nullable(),
  rowKey: z.string().nullable(),
  value: z.unknown(),
  /** The new state, or why a value was refused. */
  note: z.string().nullable(),
  loggedBy: z.string(),
  loggedAt: Instant,
  sha256: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

const CHANGED = [TARGETS, TARGET] as const

export const assessmentAnswers = {
  save: endpoint({
    method: 'POST',
    path: '/api/assessments/save-answers',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Saves changes of answers in the order they are sent. Each one is accepted, or refused with the current answer or the reason; sending a change again returns the same response.',
    input: z.strictObject({ targetId: Id, mutations: Mutations }),
    output: SavedAnswers,
    changes: [TARGETS],
  }),
  log: endpoint({
    method: 'GET',
    path: '/api/assessments/get-answer-log/{targetId}',
    allow: can(Func.assessments, Opr.read),
    summary:
      "Lists the history of a target's answers, newest first, optionally of one question. At most 500 entries.",
    input: z.strictObject({
      targetId: Id,
      question: code.optional(),
      before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
    }),
    output: z.object({
      entries: z.array(LogEntry),
      /** Each entry has the hash of the one before; false if an entry was changed or removed. */
      isIntact: z.boolean(),
    }),
  }),
  comment: endpoint({
    method: 'POST',
    path: '/api/assessments/add-comment',
    allow: { anyOf: [can(Func.assessments, Opr.update), can(Func.review, Opr.update)] },
    summary: 'Adds a comment to a question or to the whole target.',
    input: z.strictObject({
      targetId: Id,
      questionCode: code.nullable().optional().default(null),
      text: longLine(2_000, 'Comment'),
      isInternal: z.boolean().optional().default(false),
    }),
    output: Comment,
    changes: CHANGED,
  }),
  removeComment: endpoint({
    method: 'DELETE',
    path: '/api/assessments/delete-comment/{id}',
    allow: { anyOf: [can(Func.assessments, Opr.update), can(Func.review, Opr.update)] },
    summary: 'Deletes a comment of the caller.',
    input: byId,
    changes: CHANGED,
  }),
  delegate: endpoint({
    method: 'POST',
    path: '/api/assessments/delegate',
    allow: can(Func.assessments, Opr.update),
    summary:
      "Delegates a section, a question or a row of a table to a person, and emails them while the assessment is open. A user who isn't assigned to the target yet is added.",
    input: z
      .strictObject({
        targetId: Id,
        assigneeId: Id.optional(),
        userId: Id.optional(),
        participantId: Id.optional(),
        sectionId: code.optional(),
        questionCode: code.optional(),
        rowKey: z
          .string()
          .regex(/^[\w-]{1,40}$/)
          .optional(),
      })
      .superRefine(exactlyOne(['assigneeId', 'userId', 'participantId'], 'Choose one person.'))
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
    method: 'DELETE',
    path: '/api/assessments/delete-delegation/{id}',
    allow: can(Func.assessments, Opr.update),
    summary: 'Ends a delegation. Answers stay.',
    input: byId,
    changes: CHANGED,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/assessments/get-people/{targetId}',
    allow: can(Func.assessments, Opr.read),
    summary: 'Lists the people of a target.',
    input: ofTarget,
    output: z.array(TargetPerson),
  }),
  evidence: endpoint({
    method: 'GET',
    path: '/api/assessments/get-evidence/{targetId}',
    allow: { anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)] },
    summary: 'Lists the evidence of a target, and files of earlier years that are still valid.',
    input: ofTarget,
    output: z.array(AnswerEvidence),
  }),
  addEvidence: endpoint({
    method: 'POST',
    path: '/api/assessments/add-evidence',
    kind: 'upload',
    allow: can(Func.assessments, Opr.update),
    summary: 'Uploads evidence for a target (PDF, images, spreadsheets or text), all files or none.',
    input: z.strictObject({ targetId: Id, questionCode: code.optional() }),
    output: z.array(AnswerEvidence),
    changes: CHANGED,
  }),
  updateEvidence: endpoint({
    method: 'POST',
    path: '/api/assessments/update-evidence',
    allow: can(Func.assessments, Opr.update),
    summary:
      'Changes the period, validity, pages and questions of an evidence file for one target. A stale version returns 409 with the current file, and so do other questions than the `known` ones.',
    input: z.strictObject({
      id: Id,
      targetId: Id,
      version: Version,
      /** The questions that the caller replaces. */
      known: z.strictObject({ questionCodes: z.array(code).max(500) }).optional(),
      periodStart: Day.nullable().optional(),
      periodEnd: Day.nullable().optional(),
      validUntil: Day.nullable().optional(),
      pages: optionalLine(60, 'Pages'),
      questionCodes: z.array(code).max(500).optional(),
    }),
    output: AnswerEvidence,
    changes: CHANGED,
  }),
  downloadEvidence: endpoint({
    method: 'GET',
    path: '/api/assessments/get-evidence-file/{id}',
    kind: 'download',
    allow: { anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)] },
    summary: 'Downloads an evidence file.',
    input: byId,
  }),
  removeEvidence: endpoint({
    method: 'DELETE',
    path: '/api/assessments/delete-evidence/{id}',
    allow: can(Func.assessments, Opr.update),
    summary: 'Removes an evidence file that no submitted answers rely on.',
    input: byId,
    changes: CHANGED,
  }),
}
