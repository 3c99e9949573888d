// The style of the gateway's page.

export const style = `
:root { color-scheme: light dark; --ink: #1d2330; --quiet: #626b7c; --paper: #ffffff; --raised: #f5f6f9; --line: #dfe3ea; --link: #2457c5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e7ee; --quiet: #98a2b3; --paper: #14181f; --raised: #1d232d; --line: #313947; --link: #8ab0ff; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 21rem minmax(0, 1fr); font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem; border-right: 1px solid var(--line); background: var(--raised); font-size: 13px; }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0 0 0 .5rem; }
nav li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
nav b a { color: var(--ink); }
main { min-width: 0; padding: 1.5rem 2.5rem 6rem; max-width: 64rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { margin: 0 0 .5rem; font-size: 1.8rem; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); font-size: 1.35rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
p { margin: .35rem 0; }
article { margin: 1rem 0; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 8px; }
article:target { border-color: var(--link); }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: .3rem 0; font-size: 13.5px; table-layout: fixed; }
th:first-child { width: 34%; }
th:nth-child(2):not(:last-child) { width: 24%; }
.codes th:first-child { width: 4rem; }
.codes th:nth-child(2) { width: 52%; }
pre { margin: .4rem 0 0; padding: .6rem .8rem; overflow-x: auto; border-radius: 6px; background: var(--raised); }
th, td { overflow-wrap: anywhere; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 500; }
details { margin: .2rem 0; }
summary { cursor: pointer; }
.quiet { color: var(--quiet); font-size: .9em; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } th:first-child { width: 40%; } }
`;
