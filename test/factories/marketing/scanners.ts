/** What a browser sends when someone opens a link. */
export const BROWSER = {
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** As mail scanners, chats, search engines and programs open links. */
export const SCANNERS: readonly Record<string, string>[] = [
  // Microsoft Safe Links and others send what Chrome sends.
  {
    'user-agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
  },
  {
    'user-agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.117 Safari/537.36',
  },
  { 'user-agent': 'Mozilla/5.0 (compatible; Mimecast-URL-Protect)' },
  { 'user-agent': 'BarracudaCentral/1.0' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Proofpoint URL Defense)' },
  { 'user-agent': '' },
  {},
  { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  { 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
  { 'user-agent': 'WhatsApp/2.24.10 A' },
  { 'user-agent': 'Twitterbot/1.0' },
  { 'user-agent': 'TelegramBot (like TwitterBot)' },
  { 'user-agent': 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)' },
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' },
  { 'user-agent': 'curl/8.9.1' },
  { 'user-agent': 'python-requests/2.32' },
  { 'user-agent': 'Go-http-client/2.0' },
  {
    ...BROWSER,
    'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 HeadlessChrome/131.0.0.0 Safari/537.36',
  },
  { ...BROWSER, 'sec-purpose': 'prefetch;prerender' },
]
