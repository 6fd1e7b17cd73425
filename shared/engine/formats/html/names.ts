const words = (text: string) => new Set(text.split(/\s+/))

/** Elements of HTML of all ages, in small letters. */
export const htmlTags = words(
  `a abbr acronym address annotation annotation-xml applet area article aside audio b base basefont bdi bdo bgsound big
  blink blockquote body br button canvas caption center cite code col colgroup command content data datalist dd del
  details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption figure font footer form frame
  frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label layer
  legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes
  nolayer noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s
  samp script search section select selectedcontent shadow slot small source spacer span strike strong style sub summary
  sup table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xml xmp`,
)

/** Elements of SVG and MathML. */
const drawnTags = words(
  `animate animatecolor animatemotion animatetransform circle clippath color-profile cursor defs desc discard ellipse
  feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap
  fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode
  femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter font-face font-face-format
  font-face-name font-face-src font-face-uri foreignobject g glyph glyphref hatch hatchpath hkern line lineargradient
  marker mask mesh meshgradient meshpatch meshrow metadata missing-glyph mpath path pattern polygon polyline
  radialgradient rect set solidcolor stop svg switch symbol text textpath tref tspan unknown use view vkern
  maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv mmultiscripts mn mo mover
  mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace msqrt msrow mstack mstyle msub
  msubsup msup mtable mtd mtext mtr munder munderover none semantics`,
)

/** Elements of all of them: words of the markup, which nobody's name is behind. */
export const knownTags = new Set([...htmlTags, ...drawnTags])

/** Attributes of HTML and SVG; those that scripts and programs make up are not among them. */
const knownAttributes = words(
  `abbr accept accept-charset accesskey action align alink allow allowfullscreen alt archive as async autocapitalize
  autocomplete autocorrect autofocus autoplay axis background behavior bgcolor blocking border bordercolor bottommargin
  capture cellpadding cellspacing char charoff charset checked cite class classid clear code codebase codetype color cols
  colspan compact content contenteditable controls coords crossorigin data datetime declare decoding default defer dir
  dirname disabled download draggable enctype enterkeyhint face fetchpriority for form formaction formenctype formmethod
  formnovalidate formtarget frame frameborder headers height hidden high href hreflang hspace http-equiv id imagesizes
  imagesrcset inert inputmode integrity is ismap itemid itemprop itemref itemscope itemtype kind label lang language
  leftmargin link list loading longdesc loop low manifest marginheight marginwidth max maxlength media method min
  minlength multiple muted name nohref nomodule nonce noresize noshade novalidate nowrap object open optimum part pattern
  ping placeholder playsinline popover popovertarget poster preload profile prompt property readonly referrerpolicy rel
  required rev reversed rightmargin role rows rowspan rules sandbox scheme scope scrolling selected shape size sizes slot
  span spellcheck src srcdoc srclang srcset standby start step style summary tabindex target text title topmargin
  translate type typeof usemap valign value valuetype vlink vocab vspace width wrap writingsuggestions about prefix
  resource datatype inlist
  attributename attributetype baseprofile begin by calcmode clip-path clip-rule clippathunits contentscripttype
  contentstyletype cursor cx cy d display dominant-baseline dur dx dy end fill fill-opacity fill-rule filter filterunits
  flood-color flood-opacity font-family font-size font-stretch font-style font-variant font-weight from fx fy
  gradienttransform gradientunits in in2 k keypoints keysplines keytimes lengthadjust letter-spacing lighting-color
  marker-end marker-mid marker-start markerheight markerunits markerwidth mask maskcontentunits maskunits mode
  numoctaves offset opacity operator order orient origin overflow paint-order path pathlength patterncontentunits
  patterntransform patternunits points preserveaspectratio primitiveunits r radius refx refy repeatcount repeatdur
  requiredextensions requiredfeatures restart result rotate rx ry scale seed shape-rendering spreadmethod startoffset
  stddeviation stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width systemlanguage tablevalues text-anchor text-decoration text-rendering
  textlength to transform transform-origin u1 u2 unicode-bidi values vector-effect version viewbox viewtarget visibility
  word-spacing writing-mode x x1 x2 xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type
  xml:base xml:lang xml:space xmlns xmlns:xlink y y1 y2 z zoomandpan
  columnalign columnlines columnspacing columnspan displaystyle encoding equalcolumns equalrows fence framespacing
  linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits rowalign rowlines
  rowspacing rspace scriptlevel separator separators stretchy symmetric voffset`,
)

/** Whether an attribute's name, in small letters, is one of the markup's own. */
export const isKnownAttribute = (name: string): boolean =>
  knownAttributes.has(name) || /^(?:on|aria-)[a-z]+$/.test(name)

/** Whether a name of an element is one that a program would make up, with a prefix or a hyphen. */
export const isMadeUp = (name: string): boolean =>
  /^[a-z][a-z0-9]{0,9}:[a-z][\w.-]*$|^[a-z][a-z0-9._]*-[\w.-]*$/.test(name)

/** Words that values of fixed attributes are made of. */
const keywords = words(
  `all alternate amp and any apple application arial async auto autoplay baseline bevel black blank blue block bold
  border both bottom box break button butt calibri cambria canonical center char checkbox circle color col colgroup
  courier css data date datetime decimal default deg dialog disc disabled dns dotted eager email en-us end evenodd
  external false file font form fuchsia get gray green groups hand helvetica help hidden high html http icon ico image
  inherit inline iso italic javascript json justify lang lazy left license lime local low ltr manifest maroon matrix
  media middle midd mid miter mixed module monospace month multipart navy new next no nofollow none nonzero noopener
  noreferrer normal nowrap number off olive onload org parent password path plain png poly post preconnect prefetch
  preload prev print purple px radio range rect red referrer reset right roman rotate round row rowgroup rows rtl sans
  scale screen search self serif shift shortcut silver skewx skewy slice solid square start stylesheet submit svg
  tahoma tel teal text times top touch translate transparent true unsafe url urlencoded utf verdana void week white
  width windows www xhtml xlink xml xmid xmin xmax ymid ymin ymax meet yellow yes`,
)

/** Whether a value of a fixed attribute is made of the markup's own words, of numbers and of single letters. */
export const isVocabulary = (value: string): boolean =>
  value.length < 10_000 && (value.match(/\p{L}{3,}/gu) ?? []).every(word => keywords.has(word.toLowerCase()))
