import { files } from '#contract/files/files.ts'
import type {
  EmailTemplate,
  emailTemplates,
  TemplateKey,
  TemplateProblem,
} from '#contract/mail/templates/templates.ts'
import { describe } from '#contract/permission-text.ts'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { isCopy } from '#server/installation/copy-state.ts'
import type { Owner } from '../outbox/fair-queue.ts'
import { type CountTest, requireTestsLeft } from '../handlers/handler-tests.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'
import type { MailSecrets } from './render-template.ts'
import { showPictures } from './pictures.ts'
import { requireMailAdministrator } from '../require-mail-administrator.ts'
import { readCurrentTemplate } from './template-variables.ts'
import { listTemplates } from './template-list.ts'

const WHAT = 'Email templates'
/** When the built-in templates were written. */
const BUILT_IN_SINCE = '2026-11-21T00:00:00.000Z'
type Words = { subject: string; mjml: string; text: string }

/** The product's email templates, as customized by a customer. */
export function templateHandlers(outbox: Outbox, countTest: CountTest): Handlers<typeof emailTemplates> {
  /** Renders a preview, with pictures if the actor can read media. */
  async function renderPreview(
    { actor, outside }: { actor: Member; outside: Outside },
    key: TemplateKey,
    words: Words,
  ) {
    const made = await outbox.renderer.render(words, sampleOf(key), sampleSecrets(key), ownerOf(actor))
    const mayRead = actor.may(files.download.allow)
    const { html, problems } = await showPictures(
      made.html,
      actor.customerId,
      mayRead ? outbox.picturesFor(outside) : null,
    )
    const hint =
      mayRead || problems.length === 0 ? '' : ` To see it, you need ${describe(files.download.allow)}.`
    const found = problems.map((problem) => ({ part: 'mjml' as const, line: null, sentence: problem + hint }))
    return { ...made, html, problems: [...made.problems, ...found] }
  }
  return {
    list: ({ db, actor, input }) => listTemplates(db, actor, input),

    get: ({ db, actor, input }) => readTemplate(db, actor, input.key),

    async update({ actor, inTenant, outside, input }) {
      requireMailAdministrator(actor, WHAT)
      const { key, version, ...words } = input
      const { problems } = await renderPreview({ actor, outside }, key, words)
      if (problems.length > 0) throw refused('Some fields are invalid.', fieldsOf(problems))
      return inTenant((db) => addVersion(db, actor, { key, version, words }))
    },

    preview({ actor, outside, input: { key, ...words } }) {
      return renderPreview({ actor, outside }, key, words)
    },

    async test({ actor, inTenant, input }) {
      requireMailAdministrator(actor, WHAT)
      await requireTestsLeft(countTest, actor)
      const { subject, mjml, text } = await inTenant((db) =>
        readCurrentTemplate(db, actor.customerId, input.key),
      )
      const made = await outbox.renderer.render(
        { subject, mjml, text },
        sampleOf(input.key),
        sampleSecrets(input.key),
        ownerOf(actor),
      )
      const [problem] = made.problems
      if (problem) return { isSent: false, message: problem.sentence }
      return inTenant(async (db) => {
        await outbox.put(db, {
          customerId: actor.customerId,
          organizationId: null,
          userId: null,
          toName: '',
          toEmail: input.toEmail,
          subject: `Test: ${made.subject}`,
          text: made.text,
          html: made.html,
          hasSecret: false,
        })
        const isSending = await outbox.isSending(db, actor.customerId)
        return {
          isSent: isSending,
          message: await describeTest(db, isSending),
        }
      })
    },

    async versions({ db, actor, input }) {
      const rows = await db
        .selectFrom('emailTemplates')
        .select(['version', 'isBuiltIn', 'createdAt as at', 'createdBy as by'])
        .where('customerId', '=', actor.customerId)
        .where('key', '=', input.key)
        .orderBy('version', 'desc')
        .execute()
      return [...rows, { version: 1, isBuiltIn: true, at: null, by: null }]
    },

    async restore({ db, actor, input }) {
      requireMailAdministrator(actor, WHAT)
      const { key, version, to } = input
      if (to === 1) return addVersion(db, actor, { key, version, words: null })
      const row = await db
        .selectFrom('emailTemplates')
        .select(['isBuiltIn', 'subject', 'mjml', 'plainText as text'])
        .where('customerId', '=', actor.customerId)
        .where('key', '=', key)
        .where('version', '=', to)
        .executeTakeFirst()
      if (row === undefined) throw notFound('Version')
      const { isBuiltIn, ...words } = row
      return addVersion(db, actor, { key, version, words: isBuiltIn ? null : words })
    },
  }
}

/** What becomes of a test email that was put into the outbox. */
async function describeTest(db: Database, isSending: boolean): Promise<string> {
  if (!isSending) return 'Not sent. The email is in the outbox.'
  if (await isCopy(db)) return `The email is in the outbox, where it waits. ${RESTORED_COPY}`
  return 'Email queued. Check the outbox for its status.'
}

async function readTemplate(db: Database, { customerId }: Member, key: TemplateKey): Promise<EmailTemplate> {
  const { id, title, variables } = BUILT_IN_TEMPLATES[key]
  const { isBuiltIn, updatedAt, ...words } = await readCurrentTemplate(db, customerId, key)
  return {
    id,
    key,
    title,
    variables: [...variables],
    isChanged: !isBuiltIn,
    ...words,
    updatedAt: updatedAt ?? BUILT_IN_SINCE,
  }
}

/**
 * Adds a version; null `words` restore the built-in template. Concurrent saves conflict on the primary key.
 * @throws Failure 409 with the current template if the version is outdated.
 */
async function addVersion(
  db: Database,
  actor: Member,
  { key, version, words }: { key: TemplateKey; version: number; words: Words | null },
): Promise<EmailTemplate> {
  const current = await readTemplate(db, actor, key)
  if (current.version !== version) throw stale('This email template', current)
  const { subject, mjml, text } = words ?? BUILT_IN_TEMPLATES[key].words
  const added = await db
    .insertInto('emailTemplates')
    .values({ key, version: version + 1, isBuiltIn: words === null, subject, mjml, plainText: text })
    .onConflict((on) => on.doNothing())
    .returning('version')
    .executeTakeFirst()
  const now = await readTemplate(db, actor, key)
  if (added === undefined) throw stale('This email template', now)
  return now
}

function sampleOf(key: TemplateKey): Record<string, string> {
  return Object.fromEntries(BUILT_IN_TEMPLATES[key].variables.map(({ name, sample }) => [name, sample]))
}

/** Previews queue behind others of the same customer only. */
const ownerOf = ({ customerId, userId }: Member): Owner => ({ customerId, userId })

function sampleSecrets(key: TemplateKey): MailSecrets {
  const { link, code } = sampleOf(key)
  return { link, code }
}

/** The first problem of each part, with its line. */
function fieldsOf(problems: readonly TemplateProblem[]): Record<string, string> {
  const fields = new Map<string, string>()
  for (const { part, line, sentence } of problems) {
    if (!fields.has(part)) fields.set(part, line === null ? sentence : `Line ${line}: ${sentence}`)
  }
  return Object.fromEntries(fields)
}
