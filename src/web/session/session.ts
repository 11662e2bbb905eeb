import {
  ACTIVITY_THROTTLE_MS,
  type Claims,
  KEEP_ALIVE_SECONDS,
  type Token,
} from '#contract/identity/sessions/session.ts'
import type { Permissions } from '#contract/permissions.ts'
import { call, holdSignIn } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { refreshDue, serverAhead } from './clock.ts'
import { drafts } from './drafts.ts'
import { idleState, type IdleTimes, watchActivity } from './idle.ts'
import { Interruption } from './interruption.ts'
import * as store from './store.ts'
import { isAuthenticated, isHalfWay, isAtWorkAlone, readClaims } from './token.ts'

export type SessionView = Readonly<{
  claims: Claims | null
  /** Null until they were fetched. */
  permissions: Permissions | null
  /** Seconds until the idle time-out, while it counts down. */
  secondsLeft: number | null
  /** It was ended elsewhere over unsaved changes: its person may sign in again over the page. */
  isInterrupted: boolean
}>

const NOBODY: SessionView = { claims: null, permissions: null, secondsLeft: null, isInterrupted: false }

/**
 * `begun`: another tab signed in. `switched`: the organization or the person changed, not by this tab's doing.
 * `ended`: signed out; `isAsked` says whether the person asked for it.
 */
export type SessionEvent = { kind: 'begun' | 'switched' } | { kind: 'ended'; isAsked: boolean }

const TICK_MS = 1_000
/** A refresh that did not reach the server is tried again after this long. */
const REFRESH_RETRY_MS = 5_000

/**
 * The calls of the session with their schemas come late: without them the sign-in page is a fifth smaller, and
 * nothing is called before somebody signs in.
 */
const loadCalls = async () => (await import('#contract/identity/auth.ts')).auth

/** Owns the token, the timers and the talk between tabs. One for the life of the page. */
export class Session {
  readonly #times: IdleTimes
  readonly #viewers = new Set<() => void>()
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  #token = store.NO_TOKEN
  #view = NOBODY
  #stop: (() => void) | null = null
  #refreshing: Promise<void> | null = null
  /** Cuts off the refresh under way: its cookies must not come after a sign-out or a switch. */
  #cut = new AbortController()
  #isStarting = false
  #refreshAt = Infinity
  #permissionsVersion: string | null = null
  #interruption: Interruption | null = null
  /** What empties the storage next was not asked for. */
  #isEndedElsewhere = false

  constructor(times: IdleTimes) {
    this.#times = times
    window.addEventListener('storage', (event) => this.#follow(event))
  }

  /** Arrow functions: React's useSyncExternalStore takes them as they are. */
  readonly view = () => this.#view
  readonly subscribe = (viewer: () => void) => {
    this.#viewers.add(viewer)
    return () => void this.#viewers.delete(viewer)
  }

  listen(listener: (event: SessionEvent) => void): void {
    this.#listeners.add(listener)
  }

  get accessToken(): string {
    return this.#token.accessToken
  }

  /** The server's clock, in milliseconds. */
  get now(): number {
    return Date.now() + serverAhead(this.#token)
  }

  /**
   * Specification section 4: refreshes at app start. A verified person is in at once; one who asked to stay
   * signed in is in after the answer, because the stored token may be long over. Returns what is wrong with a
   * stored token that is none.
   */
  async start(): Promise<string | null> {
    this.#token = store.readToken()
    if (this.#token.accessToken === '' && !store.isRemembered()) return null
    try {
      if (this.accessToken !== '') readClaims(this.accessToken)
    } catch (error) {
      this.#clear()
      return error instanceof Error ? error.message : null
    }
    if (store.isRemembered()) {
      this.#isStarting = true
      await this.#refresh().finally(() => (this.#isStarting = false))
      if (isAuthenticated(this.accessToken, this.now)) this.#login()
      return null
    }
    if (!isAuthenticated(this.accessToken, this.now)) {
      this.#clear()
      return null
    }
    this.#login()
    void this.#refresh()
    return null
  }

  /** Signed in: stores the token, fetches permissions, starts the refresh, the idle watch and the keepalive. */
  begin(token: Token, { isRemember }: { isRemember: boolean }): void {
    store.remember(isRemember)
    store.storePermissions(null)
    this.#token = store.storeToken(token)
    this.#login()
  }

  /** Acts in another organization: the rights may differ there. */
  switchOrganization(token: Token): void {
    this.#token = store.storeToken(token)
    store.storePermissions(null)
    this.#login()
  }

  /** Specification section 4: into somebody's skin or back; the page is loaded anew right after. */
  switchPerson(token: Token): void {
    this.#cutRefresh()
    this.#token = store.storeToken(token)
    store.storePermissions(null)
  }

  /** Asks for the newest token right now: whatever this one stood for is over. */
  takeNewest(): void {
    void this.#refresh()
  }

  /** Ends the session here, in every tab and on the server; holds even if the server cannot be told. */
  async logout(): Promise<void> {
    const told = this.#sayGoodbye()
    this.#clear()
    this.#tell({ kind: 'ended', isAsked: true })
    await told
  }

  /** Over without being asked: a 401 that stays, a refresh refused, the idle time-out. */
  readonly expire = () => {
    if (this.accessToken === '') return
    this.#clear()
    this.#tell({ kind: 'ended', isAsked: false })
  }

  /**
   * A token other than the refused one, by another tab's refresh or our own; empty for none. What was typed for
   * one organization must never be sent to another, so the token of another one does not count.
   */
  readonly renew = async (refused: string): Promise<string> => {
    if (refused === '' || this.accessToken === '') return ''
    if (this.accessToken === refused && this.#interruption === null) await this.#refresh()
    await this.#interruption?.over
    if (this.accessToken === '' || this.accessToken === refused) return ''
    return this.#isOther(refused) ? '' : this.accessToken
  }

  /**
   * Goes on with what was typed, when the same person signed in again, in the same organization. Anybody else begins
   * at the dashboard, without it.
   */
  resume(token: Token): void {
    const isRemember = this.#interruption?.isRemembered ?? false
    if (this.#isOther(token.accessToken)) {
      this.begin(token, { isRemember })
      return this.#tell({ kind: 'switched' })
    }
    store.remember(isRemember)
    store.storePermissions(this.#view.permissions)
    this.#take(store.storeToken(token))
  }

  #login(): void {
    this.#endInterruption()
    this.#isEndedElsewhere = false
    this.#cutRefresh()
    this.#refreshAt = refreshDue(this.#token)
    this.#permissionsVersion = null
    store.storeMoment(store.KEYS.activity, Date.now())
    this.#show({
      claims: readClaims(this.accessToken),
      permissions: store.readPermissions(),
      secondsLeft: null,
      isInterrupted: false,
    })
    void this.#fetchPermissions()
    if (this.#stop) return
    const unwatch = watchActivity(() => this.#act(), ACTIVITY_THROTTLE_MS)
    const beat = setInterval(() => this.#tick(), TICK_MS)
    this.#stop = () => {
      unwatch()
      clearInterval(beat)
    }
    this.#tick()
  }

  #tick(): void {
    const now = Date.now()
    // Another tab may have emptied the storage while this one waits for its person.
    if (this.#interruption !== null && store.readMoment(store.KEYS.activity) === 0) this.#act()
    const idle = idleState(store.readMoment(store.KEYS.activity), now, this.#times)
    if (idle.kind === 'over') return this.#timeOut()
    const secondsLeft = idle.kind === 'warning' ? idle.secondsLeft : null
    if (secondsLeft !== this.#view.secondsLeft) this.#show({ ...this.#view, secondsLeft })
    if (this.#interruption !== null) return
    if (now >= this.#refreshAt) void this.#refresh()
    if (idle.kind === 'active' && now - store.readMoment(store.KEYS.ping) >= KEEP_ALIVE_SECONDS * 1000) {
      void this.#keepAlive(now)
    }
  }

  #act(): void {
    // After a sleep the hand on the mouse may come before the next tick: too late is too late.
    const last = store.readMoment(store.KEYS.activity)
    if (last !== 0 && idleState(last, Date.now(), this.#times).kind === 'over') return this.#timeOut()
    store.storeMoment(store.KEYS.activity, Date.now())
    if (this.#view.secondsLeft !== null) this.#tick()
  }

  #timeOut(): void {
    void this.#sayGoodbye()
    this.expire()
  }

  /** With the token at hand: by the time the answer comes it is gone from here. */
  #sayGoodbye(): Promise<unknown> {
    const bearer = this.accessToken
    const cut = new AbortController()
    const told = loadCalls()
      .then(({ signOut }) => call(signOut, {}, { bearer, signal: cut.signal }))
      .catch(() => null)
    holdSignIn(told, () => cut.abort())
    return told
  }

  async #keepAlive(now: number): Promise<void> {
    store.storeMoment(store.KEYS.ping, now)
    const idleMs = Math.max(0, now - store.readMoment(store.KEYS.activity))
    const { keepAlive } = await loadCalls()
    const state = await call(keepAlive, { idleMs }).catch(() => null)
    if (!state) return
    const isChanged =
      this.#permissionsVersion !== null && this.#permissionsVersion !== state.permissionsVersion
    this.#permissionsVersion = state.permissionsVersion
    if (isChanged) await this.#fetchPermissions()
  }

  async #fetchPermissions(): Promise<void> {
    const bearer = this.accessToken
    const { authFunc } = await loadCalls()
    const permissions = await call(authFunc, {}).catch(() => null)
    // An answer for the organization before the switch must not stand.
    if (!permissions || this.accessToken === '' || this.#isOther(bearer)) return
    store.storePermissions(permissions)
    this.#show({ ...this.#view, permissions })
  }

  /** One refresh at a time over all tabs; whoever comes second takes the first one's token. */
  #refresh(): Promise<void> {
    const run = () => this.#exchange().finally(() => (this.#refreshing = null))
    // Without Web Locks (plain http on another host) the server's 30 s grace hands both tabs the same successor.
    this.#refreshing ??= 'locks' in navigator ? navigator.locks.request('forecourt-refresh', run) : run()
    return this.#refreshing
  }

  async #exchange(): Promise<void> {
    const asked = this.accessToken
    if (!this.#isHeld(asked)) return this.#catchUp()
    if (!isAuthenticated(asked, this.now) && !store.isRemembered()) return this.expire()
    this.#refreshAt = Date.now() + REFRESH_RETRY_MS
    const { signal } = this.#cut
    const answer = await loadCalls()
      .then(({ refreshToken }) => call(refreshToken, { token: asked }, { signal }))
      .catch((failure: unknown) => (failure instanceof CallFailure ? failure : null))
    // Whatever it says is about a token that a sign-out or a switch has replaced meanwhile.
    if (!this.#isHeld(asked)) return this.#catchUp()
    if (answer === null) return
    if (answer instanceof CallFailure) {
      const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429
      return isRefused ? this.#lose(asked) : undefined
    }
    if (asked !== '' && this.#isOther(answer.accessToken)) store.storePermissions(null)
    this.#take(store.storeToken(answer))
  }

  /** Refused before its time: somebody ended the session. Over unsaved changes its person may sign in again. */
  #lose(accessToken: string): void {
    if (drafts.size === 0 || !isAtWorkAlone(accessToken, this.now)) {
      store.announceEnd()
      return this.expire()
    }
    if (this.#interruption !== null) return
    this.#interruption = new Interruption({ isRemembered: store.isRemembered() })
    this.#refreshAt = Infinity
    this.#show({ ...this.#view, isInterrupted: true })
  }

  #endInterruption(): void {
    this.#interruption?.end()
    this.#interruption = null
  }

  #cutRefresh(): void {
    this.#cut.abort()
    this.#cut = new AbortController()
  }

  /** Whether this token still stands, here and for the other tabs. */
  #isHeld(accessToken: string): boolean {
    if (this.accessToken !== accessToken || store.readToken().accessToken !== accessToken) return false
    // Before a remembered session has its token, a sign-out shows only by its no longer being remembered.
    return accessToken !== '' || store.isRemembered()
  }

  /** Storage is where the tabs meet: another token there is another tab's doing, and none is its sign-out. */
  #catchUp(): void {
    const stored = store.readToken()
    if (stored.accessToken === '') {
      const isElsewhere = this.#isEndedElsewhere
      this.#isEndedElsewhere = false
      return isElsewhere ? this.#lose(this.accessToken) : this.expire()
    }
    if (stored.accessToken !== this.accessToken) this.#take(stored)
  }

  /** A token that this tab did not ask for by name: one of another organization or person is a switch. */
  #take(token: store.OwnToken): void {
    const isBegun = this.#view.claims === null
    // Half-way through signing in again, in another tab: what comes of it decides.
    if (this.#interruption !== null && isHalfWay(token.accessToken, this.#view.claims)) return
    const isSwitched = !isBegun && this.#isOther(token.accessToken)
    this.#token = token
    // The start logs in by itself, and nobody has anything open yet that a switch could hit.
    if (this.#isStarting) return
    if (this.#interruption !== null && !isSwitched) return this.#login()
    if (isBegun || isSwitched) {
      this.#login()
      return this.#tell({ kind: isBegun ? 'begun' : 'switched' })
    }
    this.#refreshAt = refreshDue(token)
    this.#show({ ...this.#view, claims: readClaims(token.accessToken) })
  }

  /** What another tab did. */
  #follow(event: StorageEvent): void {
    if (event.key === store.KEYS.ended) this.#isEndedElsewhere = true
    if (event.key === store.KEYS.activity && this.#view.secondsLeft !== null) return this.#tick()
    if (event.key === store.KEYS.permissions && this.#view.claims) {
      const permissions = store.readPermissions()
      return permissions ? this.#show({ ...this.#view, permissions }) : undefined
    }
    if (event.key === store.KEYS.token || event.key === null) this.#catchUp()
  }

  #isOther(accessToken: string): boolean {
    const [ours, theirs] = [readClaims(this.accessToken), readClaims(accessToken)]
    return (
      // A second factor given in another tab: what was open here was for somebody who waited.
      ours.isVerified !== theirs.isVerified ||
      ours.organizationId !== theirs.organizationId ||
      ours.userId !== theirs.userId ||
      ours.impersonateUserId !== theirs.impersonateUserId
    )
  }

  #clear(): void {
    this.#stop?.()
    this.#stop = null
    this.#refreshAt = Infinity
    this.#cutRefresh()
    this.#token = store.NO_TOKEN
    store.clearStorage()
    this.#endInterruption()
    this.#show(NOBODY)
  }

  #show(view: SessionView): void {
    this.#view = view
    for (const viewer of this.#viewers) viewer()
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
