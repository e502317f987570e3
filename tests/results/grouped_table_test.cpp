#include "roadplane/results/grouped_table.hpp"

#include <gtest/gtest.h>

namespace roadplane {
namespace {

const GroupedTable kTable{"method",
                          {{"CITY-5", "1"}, {"CITY-5", "45"}, {"CITY_48", "0"}},
                          {{"VRSGT", {"1", "2", "3"}}, {"truth", {"a", "b", "c"}, true}}};

TEST(GroupedTable, LatexHasTheLayoutOfThePapersTable) {
  EXPECT_EQ(to_latex(kTable),
            "\\begin{tabular}{lrrr}\n"
            "\\toprule\n"
            " & \\multicolumn{2}{c}{CITY-5} & \\multicolumn{1}{c}{CITY\\_48} \\\\\n"
            "\\cmidrule(lr){2-3}\\cmidrule(lr){4-4}\n"
            "method & 1 & 45 & 0 \\\\\n"
            "\\midrule\n"
            "VRSGT & 1 & 2 & 3 \\\\\n"
            "\\midrule\n"
            "truth & a & b & c \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n");
}

TEST(GroupedTable, Markdown) {
  EXPECT_EQ(to_markdown(kTable),
            "| method | CITY-5 / 1 | CITY-5 / 45 | CITY_48 / 0 |\n"
            "|---|---:|---:|---:|\n"
            "| VRSGT | 1 | 2 | 3 |\n"
            "| truth | a | b | c |\n");
}

TEST(GroupedTable, LatexSeesNothingSpecialInTexts) {
  EXPECT_EQ(latex_text("a_b 5% \\x{y}^~$#&"),
            "a\\_b 5\\% \\textbackslash{}x\\{y\\}\\textasciicircum{}\\textasciitilde{}\\$\\#\\&");
}

}  // namespace
}  // namespace roadplane
