import { expect, test } from 'vitest'
import type { EmailHandler } from '#contract/mail/handlers/handlers.ts'
import { BLANK, checkHandler, showField, toInput, toValues } from './handler-form.ts'

const handler: EmailHandler = {
  id: '1',
  name: 'Desk',
  kind: 'smtp',
  fromName: null,
  fromEmail: 'desk@northgate.example',
  replyTo: null,
  host: 'mail.example.com',
  port: 465,
  security: 'tls',
  userName: 'us',
  stream: null,
  hasSecret: true,
  isDefault: true,
  eventsPath: null,
  version: 2,
  updatedAt: '2026-11-21T10:00:00Z',
  updatedBy: null,
}

test('a handler survives the way through the form, and its kept secret is not touched', () => {
  expect(checkHandler(toValues(handler))).toEqual({})
  expect(toInput(toValues(handler))).toMatchObject({ port: 465, userName: 'us', isDefault: true })
  expect(toInput(toValues(handler))).not.toHaveProperty('secret')
})

test('what belongs to a mail server goes with it', () => {
  expect(toInput({ ...toValues(handler), kind: 'outbox' })).toMatchObject({
    host: null,
    port: null,
    userName: null,
  })
})

test('an empty form names what it needs', () => {
  expect(checkHandler({ ...BLANK, port: 'x' })).toEqual({
    'emailHandler.name': 'Name is required.',
    'emailHandler.fromEmail': 'This is not an e-mail address.',
    'emailHandler.port': 'Port must be a number.',
  })
})

test('a comparison never shows a secret', () => {
  expect(showField('secret', { ...BLANK, secret: 'hush' })).toBe('A new one')
})
