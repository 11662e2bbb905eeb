import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ImpersonationStrip } from './ImpersonationBanner.tsx'

const NAMES = { userName: 'dana', impersonateUserName: 'luis' }
const wordsOf = (html: string) => html.replaceAll(/<[^>]+>/g, '')

test('the banner says who impersonates whom, in the words of the specification', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} />)
  expect(wordsOf(html)).toBe('dana, You are Impersonating luis')
  expect(html).not.toContain('<button')
})

test('the whole banner switches back if possible, and the remaining time is separate', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} minutesLeft={52} onRevert={() => {}} />)
  expect(html).toMatch(/^<button type="button" class="fc-impersonation"/)
  expect(html).toContain('<span class="fc-number">52 min left</span>')
})

test('view-only mode is shown separately from the words of the specification', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} isViewOnly onRevert={() => {}} />)
  expect(html).toContain('<span>View only</span>')
  expect(html).toContain('<bdi>dana</bdi>, You are Impersonating <bdi>luis</bdi></span>')
})
