/** Control words that are words of a language too, in which a value may stand by chance. */
export const commonWords: ReadonlySet<string> = new Set(
  `ansi author author background bin blue bold brdrdash brdrdot brdrdouble brdrs brdrshadow brdrtop bullet button caps
  category cell cells center column columns comment company control creatim default deff deflang deleted docvar embo
  expand field footer footnote green header headery hidden highlight impr index info insrsid jclisttab keep keepn keyword
  keywords landscape language leader left level line linkstyles list listid listlevel listname listtable listtext margin
  marginb marginl marginr margint mirror nobreak note number object operator order outl outline page paper paperh paperw
  paragraph pard picture plain position protect public private red result revised right rotate round row rows sect
  section shadow shape shapes single space stretch strike style styles stylesheet sub subject super table tabs target
  template text title top trautofit trowd user version view viewkind viewscale widow widowctrl wmetafile word words
  intbl itap adjustright widctlpar ltrpar rtlpar ltrch rtlch langfe langnp loch hich dbch fcharset fprq fonttbl colortbl
  generator pict picscalex picscaley picw pich picwgoal pichgoal pngblip jpegblip bliptag blipuid emdash endash lquote
  rquote ldblquote rdblquote footery sectd pgwsxn pghsxn marglsxn margrsxn margtsxn margbsxn snext sbasedon`
    .trim()
    .split(/\s+/),
)
