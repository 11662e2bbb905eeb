import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { fresh } from '#test/factories/fresh.ts'
import { describeRecord } from '#test/suites/records.ts'

describeRecord(shortUrls, () => ({
  name: fresh('Short URL'),
  target: 'url' as const,
  url: 'https://www.dealer.example/offers?own=1',
  tags: ['print'],
  utmSource: 'print',
}))
