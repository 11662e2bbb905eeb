import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Instant, line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { Address, TestOutcome } from '../handlers/handlers.ts'
import { TEMPLATE_LIST } from './template-list.ts'

/** The product's emails that customers can customize. */
export const TEMPLATE_KEYS = [
  'invitation',
  'password-reset',
  'impersonation',
  'sign-in-code',
  'factor-removed',
  'security-change',
  'data-request',
  'data-reminder',
  'reopening-request',
  'reopening-decision',
  'assessment-invitation',
  'assessment-changes',
  'assessment-reopened',
  'assessment-missing',
  'assessment-reminder',
  'assessment-opened',
  'assessment-delegation',
] as const
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]

const row = {
  /** The ID in lists. */
  id: z.string(),
  key: z.enum(TEMPLATE_KEYS),
  title: z.string(),
  subject: z.string(),
  /** The customer's version is in use, not the built-in one. */
  isChanged: z.boolean(),
  /** 1 is the built-in version. */
  version: z.number().int(),
  updatedAt: Instant.nullable(),
  updatedBy: z.string().nullable(),
}
export const TemplateRow = z.object(row)
export type TemplateRow = z.infer<typeof TemplateRow>

/** An error in a template: its part, and its line if known. */
export const TemplateProblem = z.object({
  part: z.enum(['subject', 'mjml', 'text']),
  line: z.number().int().nullable(),
  sentence: z.string(),
})
export type TemplateProblem = z.infer<typeof TemplateProblem>

export const EmailTemplate = z.object({
  ...row,
  /** For an unchanged template: when the built-in version was written. */
  updatedAt: Instant,
  mjml: z.string(),
  text: z.string(),
  /** The variables that the template can use, `{{ firstName }}`, each with its sample value for previews. */
  variables: z.array(z.object({ name: z.string(), about: z.string(), sample: z.string() })),
})
export type EmailTemplate = z.infer<typeof EmailTemplate>

const key = z.enum(TEMPLATE_KEYS, 'No email template has this key.')
const version = z.number().int().min(1).max(1_000_000)
const templateText = (max: number, name: string) =>
  z
    .string(`${name} must be text.`)
    .min(1, `${name} is required.`)
    .max(max, `${name} can have at most ${max} characters.`)
const parts = {
  subject: line(200, 'Subject'),
  mjml: templateText(100_000, 'Layout'),
  text: templateText(20_000, 'Plain text'),
}

export const TemplateTexts = z.strictObject(parts)
export type TemplateTexts = z.infer<typeof TemplateTexts>

export const TemplatePreview = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Empty if the template can be saved. */
  problems: z.array(TemplateProblem),
})
export type TemplatePreview = z.infer<typeof TemplatePreview>

/** What shows templates besides the open one. */
const SHOWS_TEMPLATES = [
  '/api/administration/get-email-templates',
  '/api/administration/email-template-versions/{key}',
] as const

export const emailTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-email-templates',
    allow: can(Func.emailTemplates, Opr.list),
    summary: "Lists the product's email templates and whether the customer changed them, as a queried list.",
    input: listQuery(TEMPLATE_LIST),
    output: queriedList(TemplateRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-email-template/{key}',
    allow: can(Func.emailTemplates, Opr.read),
    summary: 'Returns one template with its content and available variables.',
    input: z.strictObject({ key }),
    output: EmailTemplate,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-email-template',
    allow: can(Func.emailTemplates, Opr.update),
    summary: 'Saves a new version of a template. Returns 409 if the version is outdated.',
    input: z.strictObject({ key, version, ...parts }),
    output: EmailTemplate,
    outside: true,
    changes: SHOWS_TEMPLATES,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/administration/preview-email-template',
    allow: can(Func.emailTemplates, Opr.read),
    summary: 'Renders unsaved template content with sample data, and lists its errors.',
    input: z.strictObject({ key, ...parts }),
    output: TemplatePreview,
    writes: false,
    outside: true,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/administration/test-email-template',
    allow: can(Func.emailTemplates, Opr.execute),
    summary: 'Sends a test email with sample data, from the saved template. At most ten an hour.',
    input: z.strictObject({ key, toEmail: Address }),
    output: TestOutcome,
    outside: true,
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/administration/email-template-versions/{key}',
    allow: can(Func.emailTemplates, Opr.read),
    summary: 'Lists the versions of a template, newest first. The built-in version is last.',
    input: z.strictObject({ key }),
    output: z.array(
      z.object({
        version: z.number().int(),
        isBuiltIn: z.boolean(),
        at: Instant.nullable(),
        by: z.string().nullable(),
      }),
    ),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/administration/restore-email-template',
    allow: can(Func.emailTemplates, Opr.update),
    summary: 'Restores an earlier version as the newest one. Version 1 is the built-in one.',
    input: z.strictObject({ key, version, to: version }),
    output: EmailTemplate,
    changes: SHOWS_TEMPLATES,
  }),
}
