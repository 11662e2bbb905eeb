import { expect, test } from 'vitest'
import { optOutIn } from './opt-out-words.ts'

const ALL = ['email', 'call', 'text']

test.each([
  ['STOP', ['email']],
  ['Stop.\n\nJohn Smith\nSacramento', ['email']],
  ['unsubscribe me please', ['email']],
  ['STOP emailing me, unsubscribe', ['email']],
  ['Hi, please take me off your list. Thanks', ['email']],
  ['Please remove my email address from your database.', ['email']],
  ['We bought elsewhere. No more emails please.', ['email']],
  ["Please don't call me anymore.", ['call']],
  ['Do not call or I will complain. Do not call me.', ['call']],
  ['Stop texting!', ['text']],
  ['Do not contact me again.', ALL],
  ['Leave me alone', ALL],
  ["dont email me and don't call me", ['email', 'call']],
  ['I want to opt out.', ['email']],
  ['Por favor, no me llamen.', ['call']],
  ['How do I unsubscribe?', ['email']],
  ['Re: Your inquiry\n\nSTOP', ['email']],
  ['Re: Your inquiry\n\nStop.\n\nSent from my iPhone', ['email']],
  ['RE: Your inquiry\n\nSTOP\nJoe Doe\n916-555-0183', ['email']],
  ['Bronco\n\nSTOP', ['email']],
  ['Hi Luis,\nPlease stop.', ['email']],
  ['Please remove me.\n\nJoe', ['email']],
  ['I do not want to be called', ['call']],
  ['Bitte keine E-Mails mehr', ['email']],
  ['lose my number', ['call', 'text']],
  ['Do not contact me by phone', ['call', 'text']],
  ['Please do not contact me by phone, only by email', ['call', 'text']],
  ['Do not contact me by email', ['email']],
])('%s', (text, channels) => {
  expect(optOutIn(text)?.channels.toSorted()).toEqual(channels.toSorted())
})

test.each([
  "Please don't call me before 5 PM.",
  "Don't call me at work, I'm free after six.",
  'If you don’t contact me by Friday, I will buy elsewhere.',
  "Why don't you call me?",
  'I can stop by on Saturday.',
  'Can you stop the auction for this one?',
  'Please do not stop sending me offers.',
  'The end of the month works.',
  'I would like to cancel my appointment and take Monday.',
  'Do not worry, email me the price.',
  'Could you remove the running boards from it?',
  "Sorry that I didn't text you back.",
  'Text me when it is in.',
  'Re: Stop by on Saturday\n\nYes, ten is fine.',
  'I do not want to be called before noon.',
  'Please contact me by email, not by phone',
  '',
])('is no opt-out: %s', (text) => {
  expect(optOutIn(text)).toBeNull()
})

test('a subject alone is enough, and the words are kept as proof', () => {
  expect(optOutIn('Sent from my phone', 'Unsubscribe')).toMatchObject({
    channels: ['email'],
    words: 'Unsubscribe',
  })
  expect(optOutIn('Thank you.', 'Re: Stop by on Saturday')).toBeNull()
  expect(optOutIn('Hello. Do not email me. Bye.')?.words).toBe('Do not email me.')
})
