// A vitest reporter: writes the results that the commands need, and the slowest files, to FORECOURT_TEST_REPORT.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class TestReport {
  #report = { passed: 0, failed: 0, skipped: 0, retried: [], files: [] }

  onTestModuleEnd(module) {
    const report = this.#report
    const file = relative(process.cwd(), module.moduleId).replaceAll('\\', '/')
    let failed = 0
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') report.passed += 1
      else if (state === 'failed') failed += 1
      else if (!isFilteredOut(test)) report.skipped += 1
      if (state === 'passed' && test.diagnostic()?.retryCount > 0) {
        report.retried.push(`${file}: ${test.fullName}`)
      }
    }
    // A file that does not load, or whose setup fails, may have no failed test: it counts as one.
    report.failed += module.ok() ? failed : Math.max(failed, 1)
    report.files.push({ file, seconds: secondsOf(module.diagnostic()) })
  }

  onTestRunEnd() {
    const path = process.env.FORECOURT_TEST_REPORT
    if (path) writeFileSync(path, JSON.stringify(this.#report))
  }
}

/** Whether the tag filter leaves the test to another command. */
function isFilteredOut(test) {
  const filter = process.env.FORECOURT_TEST_TAGS ?? ''
  if (filter === '') return false
  const isTagged = (test.options.tags ?? []).includes(filter.replace('!', ''))
  return filter.startsWith('!') ? isTagged : !isTagged
}

/** Wall time: loading and setup included, which the duration of the tests leaves out. */
function secondsOf(times) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = times
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
}
