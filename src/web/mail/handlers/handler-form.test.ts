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
  provedAt: null,
  isDefault: true,
  eventsPath: null,
  version: 2,
  updatedAt: '2026-11-21T10:00:00Z',
  updatedBy: null,
}

test('round-trips a handler without sending its saved secret', () => {
  expect(checkHandler(toValues(handler))).toEqual({})
  expect(toInput(toValues(handler))).toMatchObject({ port: 465, userName: 'us', isDefault: true })
  expect(toInput(toValues(handler))).not.toHaveProperty('secret')
})

test('clears the server fields for other kinds', () => {
  expect(toInput({ ...toValues(handler), kind: 'outbox' })).toMatchObject({
    host: null,
    port: null,
    userName: null,
  })
})

test('reports the required fields of an empty form', () => {
  expect(checkHandler({ ...BLANK, port: 'x' })).toEqual({
    'emailHandler.name': 'Name is required.',
    'emailHandler.fromEmail': 'From is required.',
    'emailHandler.port': 'Port must be a number.',
  })
})

test('never shows a secret in a comparison', () => {
  expect(showField('secret', { ...BLANK, secret: 'hush' })).toBe('New')
})
