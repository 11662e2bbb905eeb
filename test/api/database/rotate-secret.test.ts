import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { startRotation } from '#server/installation/rotate.ts'
import { secretContext } from '#server/mail/handlers/handler-row.ts'
import { allSealed, rotateSecret } from '#server/rotate-secret.ts'
import { readSecrets } from '#server/secrets.ts'
import { makeHome, NOW, seal, settingsFor } from '#test/factories/installation/backups.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'

const OLD = 'a'.repeat(43)
const WORDS = 'Set your password here: https://cars.example.com/auth/reset-password#aB-9'

let database: TestDatabase
let home = ''
let remove: () => Promise<void>

beforeEach(async () => {
  database = await freshDatabase()
  const made = await makeHome()
  home = made.home
  remove = made.remove
  await writeFile(join(home, 'secret'), `${OLD}\n`, { mode: 0o600 })
  await seal(database, OLD)
  await withOwner(database.connection, async (owner) => {
    await owner.query('delete from outbox_mails; delete from iam.authenticators')
    const { rows } = await owner.query<{ id: string }>('select min(id) as id from customers')
    const id = rows[0]?.id
    const addresses = Array.from({ length: 1200 }, (_, at) => `p${at}@example.com`)
    const words = addresses.map((toEmail, at) =>
      readSecrets(OLD).seal(`${WORDS}${at}`, `outbox_mails.text_sealed/${id}/${toEmail}`),
    )
    await owner.query(
      `insert into outbox_mails (customer_id, to_name, to_email, subject, text_sealed, state)
       select $1, 'Somebody', m.address, 'A link', m.words, 'kept' from unnest($2::text[], $3::text[]) as m (address, words)`,
      [id, addresses, words],
    )
  })
})

afterEach(async () => {
  await database.drop()
  await remove()
})

type Mail = { customer_id: string; to_email: string; text_sealed: string }

const mails = (): Promise<Mail[]> =>
  withOwner(database.connection, async (owner) => {
    const { rows } = await owner.query<Mail>(
      'select customer_id, to_email, text_sealed from outbox_mails order by id',
    )
    return rows
  })

const countAudit = (): Promise<unknown> =>
  withOwner(database.connection, async (owner) => (await owner.query('select count(*) from audit_log')).rows)

const readSecret = async (): Promise<string> => (await readFile(join(home, 'secret'), 'utf8')).trim()
const rotate = (secret: string | null = null) =>
  rotateSecret(settingsFor(database, home, secret), { now: NOW, say: () => {} })

test('the declared columns are exactly those that end in _sealed', async () => {
  const { rows } = await withOwner(database.connection, (owner) =>
    owner.query<{ name: string }>(
      `select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
       where column_name like '%\\_sealed' and table_schema in ('public', 'iam') order by 1`,
    ),
  )
  expect(allSealed.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    rows.map(({ name }) => name),
  )
})

test('after a rotation only the new key opens everything, and nothing else changed', async () => {
  const audited = await countAudit()
  const { sealed, lost, kept } = await rotate()
  expect({ sealed, lost }).toEqual({ sealed: 1201, lost: 0 })
  const secret = await readSecret()
  expect(secret).toMatch(/^2:[\w-]{43}$/)
  expect((await stat(join(home, 'secret'))).mode & 0o777).toBe(0o600)
  const { open } = readSecrets(secret)
  for (const [at, mail] of (await mails()).entries())
    expect(open(mail.text_sealed, `outbox_mails.text_sealed/${mail.customer_id}/${mail.to_email}`)).toBe(
      `${WORDS}${at}`,
    )
  expect(await countAudit()).toEqual(audited)
  expect((await readFile(kept ?? '', 'utf8')).trim()).toBe(`1:${OLD}`)
  await seal(database, secret)
  await expect(seal(database, OLD)).rejects.toThrow('is not the secret')
})

test('re-encrypts passwords of email handlers and the HTML of emails', async () => {
  const server = { smtpHost: 'mail.example', smtpPort: 465, smtpSecurity: 'tls', smtpUser: null }
  await withOwner(database.connection, async (owner) => {
    const { rows } = await owner.query<{ id: string }>('select min(id) as id from customers')
    const customerId = rows[0]?.id ?? ''
    const old = readSecrets(OLD)
    const secret = old.seal('p4ss', secretContext({ ...server, customerId, kind: 'smtp' }))
    await owner.query(
      `insert into email_handlers (customer_id, name, kind, from_email, smtp_host, smtp_port, smtp_security, secret_sealed)
       values ($1, 'Ours', 'smtp', 'us@example.com', 'mail.example', 465, 'tls', $2)`,
      [customerId, secret],
    )
    await owner.query(
      'update outbox_mails set html_sealed = $1 where id = (select max(id) from outbox_mails)',
      [old.seal('<b>Hello</b>', `outbox_mails.html_sealed/${customerId}/p1199@example.com`)],
    )
  })
  expect(await rotate()).toMatchObject({ sealed: 1203, lost: 0 })
  const { open } = readSecrets(await readSecret())
  await withOwner(database.connection, async (owner) => {
    const { rows } = await owner.query<{ customerId: string; secret: string; html: string }>(
      `select h.customer_id as "customerId", h.secret_sealed as secret, m.html_sealed as html
       from email_handlers h, outbox_mails m where h.name = 'Ours' and m.html_sealed is not null`,
    )
    const [row] = rows
    const customerId = row?.customerId ?? ''
    expect(open(row?.secret ?? '', secretContext({ ...server, customerId, kind: 'smtp' }))).toBe('p4ss')
    expect(open(row?.html ?? '', `outbox_mails.html_sealed/${customerId}/p1199@example.com`)).toBe(
      '<b>Hello</b>',
    )
  })
})

test('continues an interrupted rotation with the same new key', async () => {
  const both = await startRotation(home)
  // Interrupted here: the product would start with both keys, and both decrypt.
  await seal(database, both)
  await rotate()
  expect(await readSecret()).toBe(both.split(',')[0])
  expect((await mails()).every(({ text_sealed }) => text_sealed.startsWith('2.'))).toBe(true)
  await rotate()
  expect(await readSecret()).toMatch(/^3:/)
})

test('a failed rotation leaves every value unchanged and both keys in the file', async () => {
  const before = await mails()
  await withOwner(database.connection, (owner) =>
    owner.query("alter table outbox_mails add constraint no_new check (text_sealed not like '2.%')"),
  )
  await expect(rotate()).rejects.toThrow('no_new')
  expect(await mails()).toEqual(before)
  await seal(database, await readSecret())
  await withOwner(database.connection, (owner) =>
    owner.query('alter table outbox_mails drop constraint no_new'),
  )
  expect((await rotate()).sealed).toBe(1201)
})

test('re-encrypts authenticator secrets and emailed codes', async () => {
  const old = readSecrets(OLD)
  const contextOf = (column: string, user: User) => `iam.${column}/${user.customer_id}/${user.id}`
  type User = { customer_id: string; id: string }
  await withOwner(database.connection, async (owner) => {
    const { rows } = await owner.query<User>('select customer_id, id from users order by id limit 1')
    const [user = { customer_id: '', id: '' }] = rows
    await owner.query(
      `insert into iam.authenticators (customer_id, user_id, secret_sealed) values ($1, $2, $3)`,
      [user.customer_id, user.id, old.seal('SECRET', contextOf('authenticators.secret_sealed', user))],
    )
    await owner.query(
      `insert into iam.mail_codes (customer_id, user_id, code_sealed, email_key, expires_at)
       values ($1, $2, $3, 'p@example.com', app_now())`,
      [user.customer_id, user.id, old.seal('048215', contextOf('mail_codes.code_sealed', user))],
    )
  })
  expect(await rotate()).toMatchObject({ sealed: 1203, lost: 0 })
  const { open } = readSecrets(await readSecret())
  await withOwner(database.connection, async (owner) => {
    const { rows } = await owner.query<User & { secret: string; code: string }>(
      `select a.customer_id, a.user_id as id, a.secret_sealed as secret, c.code_sealed as code
       from iam.authenticators a join iam.mail_codes c on c.user_id = a.user_id`,
    )
    expect(
      rows.map((row) => [
        open(row.secret, contextOf('authenticators.secret_sealed', row)),
        open(row.code, contextOf('mail_codes.code_sealed', row)),
      ]),
    ).toEqual([['SECRET', '048215']])
  })
})

test('leaves and counts values that no key opens', async () => {
  await withOwner(database.connection, (owner) =>
    owner.query(
      "update outbox_mails set text_sealed = '9.lost.words' where id = (select min(id) from outbox_mails)",
    ),
  )
  expect(await rotate()).toMatchObject({ sealed: 1200, lost: 1 })
})

test('rotates a secret from the environment with its own two keys', async () => {
  await expect(rotate(OLD)).rejects.toThrow('Add a new key before')
  expect(await rotate(`2:${'b'.repeat(20)},1:${OLD}`)).toEqual({ sealed: 1201, lost: 0, kept: null })
  await seal(database, `2:${'b'.repeat(20)}`)
  expect((await readdir(home)).filter((name) => name !== 'secret')).toEqual([])
})

test('rejects a secret that does not match the database, and changes nothing', async () => {
  const before = await mails()
  await expect(rotate(`2:${'b'.repeat(20)},1:${TEST_SECRET}`)).rejects.toThrow('is not the secret')
  expect(await mails()).toEqual(before)
})
