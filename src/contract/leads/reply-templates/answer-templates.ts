import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, optionalText, record, requiredText } from '#contract/record.ts'
import { ANSWER_VARIABLES, unknownVariables } from './fill-template.ts'

/** The most templates of a customer. */
export const MAX_TEMPLATES = 200
const MAX_TEXT = 20_000

const known = ANSWER_VARIABLES.map(({ name }) => `{${name}}`).join(', ')

/** A text for answers to buyers, with its fields in form order. Its variables: fill-template.ts. */
export const answerTemplateRecord = record(
  {
    name: requiredText('Name', 100),
    subject: optionalText('Subject', 150),
    text: field('Text', {
      input: z
        .string('Enter the text as a string.')
        .overwrite(trimmed)
        .min(1, 'Text is required.')
        .max(MAX_TEXT, 'Text may have at most 20,000 characters.')
        .refine((text) => unknownVariables(text).length === 0, {
          error: ({ input }) =>
            `{${unknownVariables(String(input))[0] ?? ''}} isn't a variable. The variables are ${known}.`,
        }),
      stored: z.string(),
      blank: '',
    }),
  },
  { readOnly: {} },
)
export type AnswerTemplate = z.infer<typeof answerTemplateRecord.schema>

const LIST = '/api/customers/get-answer-templates'
const ONE = '/api/customers/edit-answer-template/{id}'
const byId = z.strictObject({ id: Id })

/** Shared by all stores of a customer. */
export const answerTemplates = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leads, Opr.list),
    summary: 'Lists the templates for answers to buyers by name.',
    input: z.strictObject({}),
    output: z.array(answerTemplateRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leads, Opr.list),
    summary: 'Returns one template.',
    input: byId,
    output: answerTemplateRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-answer-template',
    allow: can(Func.leadRouting, Opr.create),
    summary:
      'Adds a template. Requires access to the whole customer. Returns 409 if the name is already in use.',
    input: answerTemplateRecord.create,
    output: answerTemplateRecord.schema,
    changes: [LIST],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-answer-template',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Changes a template. Requires access to the whole customer. A stale version returns 409 with the current template.',
    input: answerTemplateRecord.update,
    output: answerTemplateRecord.schema,
    changes: [LIST, ONE],
  }),
  remove: endpoint({
    ...deletionOf(answerTemplateRecord.schema),
    path: '/api/customers/delete-answer-template/{id}',
    allow: can(Func.leadRouting, Opr.delete),
    summary: 'Deletes a template. Requires access to the whole customer.',
    changes: [LIST],
  }),
}
