import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { COUNTRIES, Definition } from '#contract/questions/definition.ts'
import { TrialVerdict } from '#contract/questions/trial.ts'
import { field, flag, record, requiredText } from '#contract/record.ts'
import { versionedDocument } from '#contract/versioned-document.ts'
import { FormTranslations } from './form-texts.ts'
import { LeadFields } from './lead-fields.ts'

const KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_KEY = 60
/** Of an address; what follows the host and port is ignored. */
const ORIGIN =
  /^(https:\/\/([a-z0-9-]+\.)+[a-z0-9-]+|https?:\/\/([a-z0-9-]+\.)*localhost)(:\d{1,5})?(?=[/?#]|$)/
const longText = (max: number, name: string) =>
  z.string(`${name} must be text.`).trim().max(max, `${name} may have at most ${max} characters.`)

/** The address of a site: "https://www.dealer.example/contact" becomes its origin. Only `localhost` may do without https. */
const embedOrigin = z
  .string('Sites must be addresses.')
  .trim()
  .max(300, 'The address of a site may have at most 300 characters.')
  .toLowerCase()
  .transform((text, context) => {
    const [origin] = ORIGIN.exec(text) ?? []
    if (origin !== undefined) return origin
    context.addIssue('Enter each site as an address, such as https://www.dealer.example.')
    return z.NEVER
  })

/** `draft`: never published. `closed`: visitors see that it is closed. */
export const FORM_STATUSES = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'closed', label: 'Closed' },
] as const
const STATUSES = FORM_STATUSES.map(({ value }) => value)

const optionalLongText = (label: string, max: number) =>
  field(label, {
    input: longText(max, label)
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .optional(),
    stored: z.string().nullable(),
    blank: null,
  })

/** A form, with its fields in form order. */
export const formRecord = record(
  {
    name: requiredText('Name', 100),
    key: field('Address', {
      input: z
        .string('Address must be text.')
        .trim()
        .toLowerCase()
        .min(1, 'Address is required.')
        .max(MAX_KEY, `Address may have at most ${MAX_KEY} characters.`)
        .regex(KEY, 'Use letters, digits and hyphens, such as test-drive.'),
      stored: z.string(),
      blank: '',
    }),
    isOnVehiclePages: flag('Show on vehicle pages', { initial: false }),
    isInMenu: flag('Show in the menu of the site', { initial: false }),
    lotId: field('Lot', { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null }),
    draft: field('Questions', {
      input: Definition,
      stored: Definition,
      blank: { languages: ['en'], sections: [] },
    }),
    leadFields: field('Contact details', {
      input: LeadFields.optional(),
      stored: LeadFields,
      blank: {},
    }),
    thankYouTitle: requiredText('Title of the thank-you page', 120),
    thankYouText: field('Text of the thank-you page', {
      input: longText(2_000, 'Text of the thank-you page').min(1, 'Text of the thank-you page is required.'),
      stored: z.string(),
      blank: '',
    }),
    replySubject: optionalLongText('Subject of the automatic reply', 150),
    replyText: optionalLongText('Text of the automatic reply', 4_000),
    /** The texts above in the other languages of the questions. */
    translations: field('Translations', {
      input: FormTranslations.optional(),
      stored: FormTranslations,
      blank: {},
    }),
    /** Origins of other sites that may show it in a frame. */
    embedOrigins: field('Sites that may embed the form', {
      input: z
        .array(embedOrigin)
        .max(20, 'At most 20 sites may embed a form.')
        .transform((origins) => [...new Set(origins)])
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    /** Also holds what browsers without JavaScript send, which can't have a proof of work. */
    requiresProof: flag('Hold everything from browsers without JavaScript', { initial: false }),
  },
  {
    readOnly: {
      status: z.enum(STATUSES),
      /** The version visitors see; null before the first. */
      publishedNumber: z.number().int().nullable(),
      publishedAt: Instant.nullable(),
      /** The draft differs from the published version. */
      hasChanges: z.boolean(),
      /** Submissions without those in quarantine and tests. */
      submissions: z.number().int(),
    },
  },
)
export type Form = z.infer<typeof formRecord.schema>

export const FORM_LIST = defineList({
  key: 'forms',
  title: 'DVP forms',
  nouns: ['form', 'forms'],
  page: '/dvp/forms',
  allow: can(Func.dvpForms, Opr.list),
  exports: can(Func.dvpForms, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Form', kind: 'text', isSortable: true, isFixed: true },
    key: { title: 'Address', kind: 'text' },
    status: { title: 'Status', kind: 'choice', isSortable: true, isFacet: true, choices: FORM_STATUSES },
    isOnVehiclePages: { title: 'On vehicle pages', kind: 'flag', isSortable: true },
    submissions: { title: 'Submissions', kind: 'integer', isSortable: true },
    publishedAt: { title: 'Published', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** A published version. It never changes. */
export const FormVersion = z.object({
  number: z.number().int(),
  definition: Definition,
  publishedAt: Instant,
  publishedBy: z.string().nullable(),
  submissions: z.number().int(),
})
export type FormVersion = z.infer<typeof FormVersion>

const { list, get, add, update, publish, versions, remove, stale } = versionedDocument(formRecord, {
  list: FORM_LIST,
  base: '/api/dvp',
  func: Func.dvpForms,
  row: formRecord.schema,
  versions: { listed: FormVersion, whole: FormVersion },
  summaries: {
    list: 'Lists the forms of the customer. Searches name and address.',
    add: 'Adds a form as a draft. Returns 409 if the name or the address is already in use.',
    update:
      'Changes a form. Changed questions are a draft until it is published. A stale version returns 409 with the current form.',
    publish:
      'Publishes the draft as the next version, and opens a closed form. Returns 400 with the errors of the draft, 409 if the draft has changed since `version`.',
    remove: 'Deletes a form that has no submissions. One with submissions returns 409: close it instead.',
  },
})

export const forms = {
  list,
  get,
  add,
  update,
  tryOut: endpoint({
    method: 'POST',
    path: '/api/dvp/try-form',
    allow: can(Func.dvpForms, Opr.read),
    summary:
      'Evaluates answers as if a visitor had sent them, without saving anything. Returns 400 if the rules of the form have errors.',
    writes: false,
    input: z.strictObject({
      draft: Definition,
      /** By question code. */
      answers: z.record(z.string().max(60), z.unknown()),
      language: z.string().max(35),
      /** The lot that the form is for. */
      lotId: Id.nullable().optional(),
    }),
    /** `seller`: whom the texts name, and whose country decides how phone numbers and postal codes are read. */
    output: TrialVerdict.extend({
      seller: z.object({ name: z.string(), country: z.enum(COUNTRIES).optional() }).nullable(),
    }),
  }),
  testLink: endpoint({
    method: 'GET',
    path: '/api/dvp/get-form-test-link/{id}',
    allow: can(Func.dvpForms, Opr.read),
    summary:
      'Returns a link to the public page of a published form that makes what is sent from it a test, which is counted nowhere. It ends after an hour. Returns 409 if the form was never published.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      /** On the public site of the customer. */
      path: z.string(),
      endsAt: Instant,
    }),
  }),
  publish,
  close: endpoint({
    method: 'POST',
    path: '/api/dvp/close-form',
    allow: can(Func.dvpForms, Opr.execute),
    summary: 'Closes a form: visitors see that it is closed. Publishing opens it again.',
    input: z.strictObject({ id: Id }),
    output: formRecord.schema,
    changes: stale.changed,
  }),
  versions,
  remove,
}
