#include "assay/report/html_style.hpp"

namespace assay::report::html {

const char* const style = R"(
:root{--ink:#1d2127;--soft:#565e69;--line:#d9dee4;--paper:#fff;--panel:#f5f7f9;--accent:#0b57a4;--good:#12633a;--bad:#a8201a;--odd:#7a4a00;--heat:47,111,181;--bound:#b3261e;--plot:#2f6fb5;
--s0:#2363ab;--s1:#bd4a12;--s2:#1f7a3f;--s3:#8440be;--s4:#b02a63;--s5:#7a6a00;--s6:#0a7480;--s7:#4d5663}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--soft:#a0a9b6;--line:#313843;--paper:#12161c;--panel:#1a1f27;--accent:#86b8f7;--good:#7fd6a3;--bad:#ff9b92;--odd:#efc26a;--heat:96,156,226;--bound:#f2867c;--plot:#6aa6e8;
--s0:#6aa6e8;--s1:#f0935f;--s2:#6fce8d;--s3:#c49af0;--s4:#f07bab;--s5:#d6c24a;--s6:#5fd0dc;--s7:#a7b2c2}}
*{box-sizing:border-box}
html{scroll-padding-top:3rem}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:1200px;margin:0 auto;padding:1.4rem 1.5rem 4rem}
h1{font-size:2.1rem;line-height:1.2;font-weight:650;margin:.5rem 0 .3rem;letter-spacing:-.01em}
h2{font-size:1.35rem;font-weight:650;margin:3rem 0 .6rem;padding-top:.8rem;border-top:2px solid var(--ink)}
h3{font-size:1rem;font-weight:650;margin:0 0 .4rem}h4{font-size:.95rem;font-weight:600;margin:1.4rem 0 .4rem}
h2 small,h3 small,h4 small{font-weight:400;font-size:.82rem;color:var(--soft);margin-left:.5rem}
p{margin:.3rem 0 .7rem;max-width:80ch}
a{color:var(--accent);text-decoration:none}a:hover,a:focus{text-decoration:underline}
code{font:.86em ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.soft{color:var(--soft)}.small{font-size:.85rem}.good{color:var(--good)}.bad{color:var(--bad)}.odd{color:var(--odd)}.none{color:var(--soft)}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
em{font-style:normal;font-size:.82rem;font-weight:600;white-space:nowrap}
.of{font-size:.85rem;color:var(--soft)}
.counts{display:flex;flex-wrap:wrap;gap:.3rem 2.6rem;margin:1rem 0 1.5rem;padding:0;list-style:none}
.counts b{display:block;font-size:1.8rem;line-height:1.15;font-weight:650;font-variant-numeric:tabular-nums}
.counts span{font-size:.85rem}
.two{display:grid;grid-template-columns:minmax(0,7fr) minmax(0,5fr);gap:1.4rem 2.6rem}
.two section{min-width:0}
table{border-collapse:collapse;width:100%;font-size:.88rem}
th{text-align:left;font-weight:600;font-size:.8rem;color:var(--soft);padding:.2rem .7rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:bottom}
td{padding:.28rem .7rem .28rem 0;border-bottom:1px solid var(--line);vertical-align:top}.w{overflow-wrap:break-word}
th.n,td.n{padding-left:.5rem}th.n:last-child,td.n:last-child{padding-right:0}th.n{text-align:right}
.map{table-layout:fixed;border-collapse:separate;border-spacing:2px}.map th,.map td{border:0;padding:.14rem .3rem}.map th:first-child{width:6.6rem;padding-left:0}
.map th small{display:block;font-weight:400;font-size:.68rem}.map th.n{font-size:.74rem;white-space:normal;overflow-wrap:normal;hyphens:manual}
.map td{text-align:right;background:rgba(var(--heat),calc(var(--r,0)*.34));line-height:1.2;font-variant-numeric:tabular-nums}.map td:empty{background:none}
.map td a{color:var(--ink);display:block}.map td small{display:block;font-size:.68rem;color:var(--ink)}
.map td.bad{background:var(--panel);outline:2px solid var(--bad)}.map td.bad a{color:var(--bad);font-weight:700}
.near{list-style:none;margin:0;padding:0!important;font-size:.88rem}
.near li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 .8rem;padding:.36rem 0;border-bottom:1px solid var(--line)}
.near~h3{margin-top:1.3rem}.two ul{padding-left:1.1rem;margin:.1rem 0;font-size:.88rem}.two ol+h3~p{font-size:.9rem}
nav{margin:2rem 0 0;padding:.7rem 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:center}
nav input{margin-left:auto;font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:4px;padding:.2rem .6rem;width:15rem;max-width:100%}input::placeholder{color:var(--soft);opacity:1}
.row{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:.1rem 2rem;padding:.55rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
.row b{font-weight:600;font-size:.9rem}.row p{margin:0}.row ul,.row .m>div{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline}.row ul{list-style:none;margin:0;padding:0}
.row li{font-size:1rem;font-weight:600;font-variant-numeric:tabular-nums}.row li small{color:var(--soft);font-weight:400;font-size:.76rem;margin-right:.35rem}.row li.f{flex-basis:100%;color:var(--soft);font-size:.76rem}
.row.k li{min-width:3.9rem}.row .m{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 1rem;padding:.15rem 0}.row .m+.m{border-top:1px dotted var(--line)}
.row>div:first-child{position:sticky;top:.4rem;align-self:start}
li.bad a{color:var(--bad);font-weight:700}li.odd a{color:var(--odd)}li.all a{color:var(--good)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));gap:1.2rem 1.6rem;margin:.8rem 0}
.figures.u{grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.6rem 1.2rem}
figure{margin:0;min-width:0;break-inside:avoid}figcaption{font-size:.8rem;color:var(--soft)}figcaption b{color:var(--ink);font-weight:600}
figcaption span{margin-right:.8rem;white-space:nowrap}figcaption i{display:inline-block;width:1rem;border-top:3px solid;margin-right:.3rem;vertical-align:.25rem}
.s0{color:var(--s0)}.s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}.s4{color:var(--s4)}.s5{color:var(--s5)}.s6{color:var(--s6)}.s7{color:var(--s7)}
section.family,section.cases{content-visibility:auto;contain-intrinsic-size:auto 60rem}
svg{width:100%;height:auto;display:block}svg path{fill:none;stroke:currentColor;stroke-width:.6}svg path[class]{stroke-width:1.6}svg .b{color:var(--bound);stroke-dasharray:3 4.8}svg path.h{color:var(--plot);stroke-width:3}svg .y{transform:translate(18px,90px) rotate(270deg)}svg polygon{stroke:none}svg text{fill:currentColor;font-size:12px;text-anchor:middle}svg .r{text-anchor:end}.u svg path{fill:var(--plot);stroke:none}
.u svg{border-bottom:1px solid var(--soft);background:linear-gradient(90deg,transparent 31.5%,var(--panel) 31.5% 68.5%,transparent 68.5%);height:2.2rem}
details{margin:.2rem 0}summary{cursor:pointer;padding:.25rem 0}summary b{font-weight:600;margin-right:.5rem}
details.p{border-bottom:1px solid var(--line)}details.p[open]>summary{position:sticky;top:0;background:var(--paper);z-index:1}
details>div{padding:.1rem 0 .8rem 1.1rem}
.g ul{list-style:none;margin:.2rem 0;padding:0;font-size:.9rem}.g li b{font-weight:600}.g li p{margin:0}
.case{margin:.5rem 0 .9rem;font-size:.9rem}.case p{margin:0}.case i{font-style:normal;font-size:.9em;color:var(--soft)}
:target{background:var(--panel)}
[hidden]{display:none!important}
.many,.many tbody,.many tr{display:block}.many thead{display:none}.many tr{padding:.4rem 0;border-bottom:1px solid var(--line)}.many td{display:inline-block;border:0;padding:.05rem 1.2rem .05rem 0}.many td:first-child{display:block}
.many td[data-l]:before{content:attr(data-l) " ";color:var(--soft);font-size:.8rem}.many td:empty{display:none}.many td div{display:inline;margin-left:.4rem}
@media(max-width:1250px){.two{grid-template-columns:minmax(0,1fr)}}
@media screen and (max-width:760px){h1{font-size:1.6rem}.row,.row .m{grid-template-columns:minmax(0,1fr)}.row>div:first-child{position:static}.counts{gap:.6rem 1.6rem}.counts b{font-size:1.4rem}
main{padding:1rem .8rem 3rem}.map th,.map td{padding:.12rem .1rem;white-space:nowrap;overflow-wrap:normal}.map td.bad{white-space:normal}.map td.bad a{font-weight:400}.map{font-size:.6rem;border-spacing:1px}.map th:first-child{width:4.7rem;font-size:.68rem;white-space:normal;overflow-wrap:anywhere}.map th.n{font-size:.66rem;writing-mode:vertical-rl;text-align:left}.map td small{font-size:.54rem}
table.stack,.stack tbody,.stack tr,.stack td{display:block;width:auto}.stack tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.stack th{display:none}.stack td{border:0;padding:.05rem 0;text-align:left;white-space:normal}
.stack td:empty{display:none}.stack td[data-l]:before{content:attr(data-l) " ";color:var(--soft);font-size:.8rem}nav input{margin-left:0;width:100%}}
@page{margin:12mm}
@media print{section.cases{columns:2;column-gap:1.6rem}.case{break-inside:avoid;margin:.2rem 0 .4rem}details>div{padding:0 0 .4rem 1.1rem}
:root{--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--panel:#f2f2f2;--accent:#000;--good:#0d4d2c;--bad:#8a1712;--odd:#5e3900;--heat:47,111,181}
html{font-size:10px}body{font-size:1rem}main{max-width:none;padding:0}nav{display:none}section.family,section.cases{content-visibility:visible}details::details-content{content-visibility:visible;display:block;height:auto}details.p>summary{position:static!important}
.map td,.u svg{print-color-adjust:exact}h2,h3,h4,summary{break-after:avoid}tr{break-inside:avoid}}
)";

const char* const script = R"(
(()=>{const d=document,box=d.getElementById('filter');
const show=()=>{let e;try{e=d.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{}
if(e){for(let x=e.closest('details');x;x=x.parentElement.closest('details'))x.open=true;e.scrollIntoView()}};
addEventListener('hashchange',show);addEventListener('beforeprint',()=>d.querySelectorAll('details').forEach(x=>x.open=true));
const rows=[...d.querySelectorAll('.row,details.p:not(.g),.g li,.figures figure')];
let keys;box.hidden=false;
box.oninput=()=>{keys??=rows.map(r=>(r.closest('section').id.slice(2)+'.'+(r.querySelector('summary,figcaption')||r).textContent).toLowerCase());
const words=box.value.toLowerCase().split(/\s+/);
rows.forEach((r,i)=>{r.hidden=!words.every(w=>keys[i].includes(w))});
d.querySelectorAll('.g').forEach(g=>{g.hidden=!g.querySelector('li:not([hidden])');if(box.value&&g.querySelector('li[hidden]'))g.open=true});
d.querySelectorAll('section.family,section.cases').forEach(s=>{s.hidden=!s.querySelector('.row:not([hidden]),details.p:not([hidden])')});
if(box.value)d.querySelectorAll('details.rest').forEach(x=>x.open=true)};
show()})();
)";

}  // namespace assay::report::html
