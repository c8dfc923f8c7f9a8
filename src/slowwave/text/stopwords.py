"""Function words: closed classes of grammar that say nothing about what a question is after.

Pronouns, articles, prepositions, conjunctions, auxiliaries, particles and question words, in the
form `segment.fold` gives them. Open classes (nouns, verbs of meaning, names) never belong here.
"""

_ENGLISH = (
    # articles, pronouns, determiners
    "a an the i me my mine myself you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself we us our ours ourselves they them their theirs themselves one "
    "this that these those some any each every either neither both all such same other another "
    "somebody someone something anybody anyone anything nobody nothing everybody everyone "
    "everything "
    # question words
    "who whom whose which what when where why how "
    # auxiliaries and their contractions
    "am is are was were be been being do does did doing done have has had having will would shall "
    "should can could may might must ought "
    "i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd "
    "they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't don't doesn't "
    "didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't couldn't mightn't mustn't "
    "what's who's where's when's how's why's that's there's here's let's "
    # prepositions and conjunctions
    "of in on at by for with about against between into through during before after above below "
    "to from up down out off over under again further then once than as if unless until while "
    "because since so and or but nor though although whether per via upon within without toward "
    "towards onto among "
    # adverbs of grammar
    "not no yes only own too very just also there here now ever never still yet even quite rather "
    "much many more most few less least "
    # the frame of a question to a memory
    "please tell remember recall know s t"
)
ENGLISH = frozenset(_ENGLISH.split())

_HAN_WORDS = (
    # question words and their frames
    "什么 甚么 怎么 怎样 怎么样 为什么 为何 如何 哪里 哪儿 哪个 哪些 哪种 哪家 哪位 哪天 哪年 哪次 "
    "多少 多久 几个 几点 几时 什么时候 何时 是不是 有没有 能不能 会不会 是否 可不可以 要不要 "
    # the frame of a question to a memory
    "记得 还记得 知道 告诉 请问 想不想 记不记得 知不知道 "
    # pronouns and demonstratives
    "我们 你们 他们 她们 它们 咱们 自己 大家 这个 那个 这些 那些 这里 那里 这儿 那儿 这样 那样 "
    "这么 那么 "
    # conjunctions, prepositions, particles, adverbs of grammar
    "因为 所以 但是 可是 不过 而且 并且 或者 还是 如果 虽然 然后 以及 关于 对于 根据 由于 为了 "
    "的话 就是 不是 没有 可以 应该 已经 正在 曾经 一下 一个 一些 有些 一样 而已 罢了"
)
HAN_WORDS = frozenset(_HAN_WORDS.split())
"""Function words of two to four characters, longest first when a run is read."""

HAN_CHARS = frozenset(
    "的了着过吗呢吧啊呀哦嘛啦么哪谁几啥我你您他她它咱俺这那是在有和与及或跟同就都也还又再很太更最"
    "把被让给对向从到于以为因而但且则之其所得地个们会能要想该可请并将曾没不好"
)
"""Function words of one character."""
