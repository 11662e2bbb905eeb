import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Instant, line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Address, TestOutcome } from '../handlers/handlers.ts'
import { TEMPLATE_LIST } from './template-list.ts'

/** The mails of the product that people can put into words of their own. */
export const TEMPLATE_KEYS = [
  'invitation',
  'password-reset',
  'impersonation',
  'sign-in-code',
  'factor-removed',
  'data-request',
  'data-reminder',
] as const
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]

const row = {
  /** What lists number it by. */
  id: z.string(),
  key: z.enum(TEMPLATE_KEYS),
  title: z.string(),
  subject: z.string(),
  /** The customer's words are in use, not the product's own. */
  isChanged: z.boolean(),
  /** 1 is the product's own. */
  version: z.number().int(),
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
}
export const TemplateRow = z.object(row)
export type TemplateRow = z.infer<typeof TemplateRow>

/** Something wrong with a template: in which part, on which line where that is known. */
export const TemplateProblem = z.object({
  part: z.enum(['subject', 'mjml', 'text']),
  line: z.number().int().nullable(),
  sentence: z.string(),
})
export type TemplateProblem = z.infer<typeof TemplateProblem>

export const EmailTemplate = z.object({
  ...row,
  /** When the product's own were written, while nobody changed them. */
  updatedAt: Instant,
  mjml: z.string(),
  text: z.string(),
  /** What the words may name, `{{ firstName }}`, with what stands there in a preview. */
  variables: z.array(z.object({ name: z.string(), about: z.string(), sample: z.string() })),
})
export type EmailTemplate = z.infer<typeof EmailTemplate>

const key = z.enum(TEMPLATE_KEYS, 'There is no mail of this name.')
const version = z.number().int().min(1).max(1_000_000)
const words = (max: number, name: string) =>
  z
    .string(`${name} must be text.`)
    .min(1, `${name} is required.`)
    .max(max, `${name} may have at most ${max} characters.`)
const parts = {
  subject: line(200, 'Subject'),
  mjml: words(100_000, 'Layout'),
  text: words(20_000, 'Plain text'),
}

export const TemplateWords = z.strictObject(parts)
export type TemplateWords = z.infer<typeof TemplateWords>

export const TemplatePreview = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** None: it may be saved. */
  problems: z.array(TemplateProblem),
})
export type TemplatePreview = z.infer<typeof TemplatePreview>

export const emailTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-email-templates',
    allow: can(Func.emailTemplates, Opr.list),
    summary: 'The mails of the product and whether the customer changed them, as a queried list.',
    input: listQuery(TEMPLATE_LIST),
    output: queriedList(TemplateRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-email-template/{key}',
    allow: can(Func.emailTemplates, Opr.read),
    summary: 'One template with its words and the variables it may name.',
    input: z.strictObject({ key }),
    output: EmailTemplate,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-email-template',
    allow: can(Func.emailTemplates, Opr.update),
    summary: 'Puts a template into the words of the customer, as a new version. A stale version answers 409.',
    input: z.strictObject({ key, version, ...parts }),
    output: EmailTemplate,
    outside: true,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/administration/preview-email-template',
    allow: can(Func.emailTemplates, Opr.read),
    summary: 'How words that are not saved would look with sample data, and what is wrong with them.',
    input: z.strictObject({ key, ...parts }),
    output: TemplatePreview,
    writes: false,
    outside: true,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/administration/test-email-template',
    allow: can(Func.emailTemplates, Opr.execute),
    summary: 'Puts one mail with sample data into the outbox, from the saved words. Ten an hour at most.',
    input: z.strictObject({ key, toEmail: Address }),
    output: TestOutcome,
    outside: true,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/administration/email-template-versions/{key}',
    allow: can(Func.emailTemplates, Opr.read),
    summary: "The versions of a template, newest first; the product's own is the last.",
    input: z.strictObject({ key }),
    output: z.array(
      z.object({
        version: z.number().int(),
        isOwn: z.boolean(),
        at: Instant.nullable(),
        by: z.string().nullable(),
      }),
    ),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/administration/restore-email-template',
    allow: can(Func.emailTemplates, Opr.update),
    summary: "Makes the words of an earlier version the newest; 1 goes back to the product's own.",
    input: z.strictObject({ key, version, to: version }),
    output: EmailTemplate,
  }),
}
